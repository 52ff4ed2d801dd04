import {
  connect,
  ConnectionError,
  connectionTrouble,
  defaultConnection,
  type ConnectionSettings,
  type ConnectionSource,
  KubeClient,
  variable,
} from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import type { ClusterOptions } from '../options.ts';

/** The field manager of what a person applies by the command line. */
export const FIELD_MANAGER = 'trunnion-cli';

/** The settings of a connection: a kubeconfig by the rules of kubectl, or, in a pod, its ServiceAccount. */
export function settingsOf({ kubeconfig, context }: ClusterOptions): ConnectionSettings {
  if (kubeconfig === undefined && context === undefined) return defaultConnection();
  return {
    from: 'kubeconfig',
    ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
}

/** How long a command uses a connection that it has read: a credential plug-in takes seconds, or asks its user. */
const SHARED_MS = 5_000;

let shared: { readonly key: string; readonly at: number; readonly source: ConnectionSource } | undefined;

/** The connection by these settings, which all parts of a command share. */
function connectionBy(settings: ConnectionSettings): ConnectionSource {
  const key = JSON.stringify([settings, variable('KUBECONFIG'), variable('HOME')]);
  const now = performance.now();
  if (shared?.key !== key || now - shared.at > SHARED_MS) shared = { key, at: now, source: connect(settings) };
  return shared.source;
}

/** The namespace that a command is about: the one that it was given, else the context's. */
export async function namespaceOf(options: ClusterOptions & { readonly namespace?: string }): Promise<string> {
  return options.namespace ?? (await connectionBy(settingsOf(options)).current()).namespace;
}

/**
 * Does something with a client, and closes it.
 *
 * @throws CliError where the API server can't be reached, or does not take the credentials: with the context and its file
 */
export async function withClient<T>(
  settings: ConnectionSettings,
  work: (client: KubeClient, connection: ConnectionSource) => Promise<T>,
): Promise<T> {
  const connection = connectionBy(settings);
  const client = new KubeClient({ connection, userAgent: FIELD_MANAGER, patient: false });
  try {
    return await work(client, connection);
  } catch (error) {
    throw await withOrigin(error, connection);
  } finally {
    await client.close();
  }
}

/** An error, with the context and its file where it is about the connection. */
export async function withOrigin(error: unknown, connection: ConnectionSource): Promise<unknown> {
  // What could not be read to connect by tells so itself.
  if (error instanceof ConnectionError) return error;
  const trouble = connectionTrouble(error, await connection.current());
  return trouble === undefined ? error : new CliError(trouble);
}
