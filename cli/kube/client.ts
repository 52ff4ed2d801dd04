import {
  connect,
  type ConnectionSettings,
  type ConnectionSource,
  KubeClient,
  variable,
} from '../../operator/kube/index.ts';
import type { ClusterOptions } from '../options.ts';

/** The field manager of what a person applies by the command line. */
export const FIELD_MANAGER = 'trunnion-cli';

/** The settings of a connection: a kubeconfig by the rules of kubectl, or, in a pod, its ServiceAccount. */
export function settingsOf({ kubeconfig, context }: ClusterOptions): ConnectionSettings {
  const isNamed = (kubeconfig ?? context ?? variable('KUBECONFIG')) !== undefined;
  if (!isNamed && variable('KUBERNETES_SERVICE_HOST') !== undefined) return { from: 'cluster' };
  return {
    from: 'kubeconfig',
    ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
}

/** The namespace that a command is about: the one that it was given, else the context's. */
export async function namespaceOf(options: ClusterOptions & { readonly namespace?: string }): Promise<string> {
  return options.namespace ?? (await connect(settingsOf(options)).current()).namespace;
}

/** Does something with a client, and closes it. */
export async function withClient<T>(
  settings: ConnectionSettings,
  work: (client: KubeClient, connection: ConnectionSource) => Promise<T>,
): Promise<T> {
  const connection = connect(settings);
  const client = new KubeClient({ connection, userAgent: FIELD_MANAGER });
  try {
    return await work(client, connection);
  } finally {
    await client.close();
  }
}
