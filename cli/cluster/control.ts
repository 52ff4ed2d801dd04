import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, connect, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { CliError, describe } from '../errors.ts';

/** What can be asked of a cluster in the background; `load` brings the image of a file onto its real node. */
export type Request = { readonly do: 'status' | 'stop' } | { readonly do: 'load'; readonly file: string };

/** What it answers. */
export interface Reply {
  readonly pid: number;
  readonly url: string;
  readonly kubeconfig: string;
  /** A kubectl of the cluster's version. */
  readonly kubectl: string;
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly realNode: boolean;
  /** When it was started, in ISO 8601. */
  readonly startedAt: string;
  /** Names of the components that run. */
  readonly components: readonly string[];
}

/**
 * Answers requests on a socket in the file system. The socket tells whether the cluster runs more surely than a file
 * with a process id would: that may be another process's by now.
 */
export async function serve(path: string, answer: (request: Request) => Promise<Reply>): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const reply = async () => {
      const request = JSON.parse(await text(socket)) as Request;
      socket.end(JSON.stringify(await answer(request).catch((error: unknown) => ({ failed: describe(error) }))));
    };
    reply().catch(() => socket.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  // Anyone who may write to it may stop the cluster.
  chmodSync(path, 0o600);
  return server;
}

/**
 * Asks a cluster in the background.
 *
 * @returns its answer; undefined where none runs
 * @throws CliError where it could not do it
 */
export async function ask(path: string, request: Request): Promise<Reply | undefined> {
  const socket = connect({ path, allowHalfOpen: true });
  try {
    await once(socket, 'connect');
    socket.end(JSON.stringify(request));
    const answer = JSON.parse(await text(socket)) as Reply | { readonly failed: string };
    if ('failed' in answer) throw new CliError(answer.failed);
    return answer;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  } finally {
    socket.destroy();
  }
}

/** Whether there is no socket, or one that a killed process left behind. */
function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED');
}
