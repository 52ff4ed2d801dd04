import { connect, type ConnectionSettings, KubeClient } from '../../operator/kube/index.ts';
import type { ClusterOptions } from '../options.ts';

/** The field manager of what a person applies by the command line. */
export const FIELD_MANAGER = 'trunnion-cli';

/** The settings of a connection, by the rules of kubectl. */
export function settingsOf({ kubeconfig, context }: ClusterOptions): ConnectionSettings {
  return {
    from: 'kubeconfig',
    ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
}

/** Does something with a client, and closes it. */
export async function withClient<T>(
  settings: ConnectionSettings,
  work: (client: KubeClient) => Promise<T>,
): Promise<T> {
  const client = new KubeClient({ connection: connect(settings), userAgent: FIELD_MANAGER });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
