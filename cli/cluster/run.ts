import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from '../errors.ts';
import type { Io } from '../io.ts';
import { loadInBackground, running, startInBackground, stopInBackground } from './background.ts';
import type { Reply } from './control.ts';
import { dirOption, type Folder } from './folder.ts';

/** How large a cluster is. */
export interface Size {
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly realNode?: true;
}

/** Starts a cluster, unless it runs already. */
export async function clusterUp(io: Io, { dir, nodes, gpusPerNode, realNode }: Folder & Size): Promise<void> {
  const earlier = await running(dir);
  if (earlier !== undefined) io.log(`It runs already: ${summary(earlier)}.`);
  if (earlier?.realNode === false && realNode) {
    throw new CliError(
      'the cluster that runs has no real node: stop it with trunnion cluster down, then start it again',
    );
  }
  const order = { dir, nodes, gpusPerNode, realNode: realNode === true };
  const cluster = earlier ?? (await startInBackground(order, (line) => io.log(line)));
  io.log(`To use it: export KUBECONFIG=${cluster.kubeconfig}. To stop it: trunnion cluster down${dirOption(dir)}`);
  io.log(`A kubectl of its version: ${cluster.kubectl}`);
  io.out(`${cluster.kubeconfig}\n`);
}

/** Stops a cluster, if it runs. */
export async function clusterDown(
  io: Io,
  { dir, deleteData = false }: Folder & { deleteData?: boolean },
): Promise<void> {
  const cluster = await stopInBackground(dir);
  // Where its process was killed, nobody else does. Loaded here: the other commands need no cluster to ask one.
  if (cluster === undefined) await (await import('../../cluster/index.ts')).clearNode(dir);
  io.log(cluster === undefined ? 'No cluster runs.' : `Stopped ${cluster.url}.`);
  if (deleteData) {
    rmSync(dir, { recursive: true, force: true });
    io.log(`Deleted ${dir}.`);
  }
}

/** Brings an image onto the real node of a cluster. */
export async function clusterLoad(io: Io, file: string, { dir }: Folder): Promise<void> {
  const cluster = await loadInBackground(dir, resolve(file));
  if (cluster === undefined) throw new CliError(`no cluster runs; start one with trunnion cluster up --real-node`);
  io.log(`The node has the image of ${file}.`);
}

/** Tells whether a cluster runs. */
export async function clusterStatus(io: Io, { dir }: Folder): Promise<void> {
  const cluster = await running(dir);
  if (cluster === undefined) throw new CliError('no cluster runs; start one with trunnion cluster up');
  io.log(`It runs: ${summary(cluster)}.`);
  io.out(`${cluster.kubeconfig}\n`);
}

function summary({ url, nodes, gpusPerNode, realNode, startedAt, components }: Reply): string {
  const real = realNode ? ', a real node' : '';
  return `${url}, ${nodes} nodes with ${gpusPerNode} GPUs each${real}, since ${startedAt} (${components.join(', ')})`;
}
