import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import { noResources } from '../live.ts';
import type { ClusterOptions, Format } from '../options.ts';
import { formatted } from '../output.ts';
import { untilEnded } from '../signals.ts';
import { followPage } from '../status/follow.ts';
import { look } from './look.ts';
import { tableText } from './print.ts';

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
        const table = await look(client, connection, namespace, signal);
        if (table.resources.length === 0) io.log(noResources(namespace));
        return formatted(output, table, () => tableText(table, allNamespaces));
      };
      if (watch) await followPage(io, page, signal);
      else io.out(await page());
    }),
  );
}
