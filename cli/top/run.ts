import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import { portForward } from '../kube/port-forward.ts';
import { allKinds } from '../kinds.ts';
import type { ClusterOptions, Format } from '../options.ts';
import { formatted } from '../output.ts';
import { untilEnded } from '../signals.ts';
import { followPage } from '../status/follow.ts';
import type { Dial } from './engines.ts';
import { observe } from './observe.ts';
import { tableText } from './print.ts';
import { tableOf } from './table.ts';

/** The options of `trunnion top`. */
export interface TopOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly watch?: boolean;
  readonly output: Format;
}

/** Prints what resources ask of GPUs, and how much they do with them. */
export async function runTop(io: Io, options: TopOptions): Promise<void> {
  const { watch = false, allNamespaces = false, output } = options;
  const namespace = allNamespaces ? undefined : await namespaceOf(options);
  await withClient(settingsOf(options), (client, connection) =>
    untilEnded(async (signal) => {
      const page = async () => {
        const current = await connection.current();
        const dial: Dial = (pod, port, inTime) => portForward(current, pod, port, inTime);
        const table = tableOf(await observe({ client, dial, kinds: allKinds, namespace, signal }));
        if (table.resources.length === 0)
          io.log(`There is no resource ${namespace === undefined ? 'in any namespace' : `in ${namespace}`}.`);
        return formatted(output, table, () => tableText(table, allNamespaces));
      };
      if (watch) await followPage(io, page, signal);
      else io.out(await page());
    }),
  );
}
