import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import type { ClusterOptions } from '../options.ts';
import { packageVersion } from '../package.ts';
import { aborted, untilEnded } from '../signals.ts';
import { UiServer } from './server.ts';

/** The options of `trunnion ui`. */
export interface UiOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly port: number;
  readonly operatorNamespace: string;
}

/** Serves the page, until it is told to end. */
export async function runUi(io: Io, options: UiOptions): Promise<void> {
  const { allNamespaces = false, port, operatorNamespace } = options;
  const namespace = allNamespaces ? null : await namespaceOf(options);
  await withClient(settingsOf(options), async (client, connection) => {
    const { url, origin } = await connection.current();
    const session = { version: packageVersion(), context: origin?.context ?? '', server: url, namespace };
    await untilEnded(async (signal) => {
      const server = await UiServer.start({ client, connection, operatorNamespace, session }, port);
      io.log('Open this address in a browser. It has your rights in it: give it to nobody. Ctrl-C ends it.');
      io.out(`${server.url}\n`);
      await aborted(signal);
      await server.close();
    });
  });
}
