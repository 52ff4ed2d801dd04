import { rmSync } from 'node:fs';
import { CliError } from '../errors.ts';
import type { Io } from '../io.ts';
import { running, startInBackground, stopInBackground } from './background.ts';
import type { Reply } from './control.ts';

/** Where a cluster's data are. */
export interface Folder {
  readonly dir: string;
}

/** How large a cluster is. */
export interface Size {
  readonly nodes: number;
  readonly gpusPerNode: number;
}

/** Starts a cluster, unless it runs already. */
export async function clusterUp(io: Io, { dir, nodes, gpusPerNode }: Folder & Size): Promise<void> {
  const earlier = await running(dir);
  if (earlier !== undefined) io.log(`It runs already: ${summary(earlier)}.`);
  const cluster = earlier ?? (await startInBackground({ dir, nodes, gpusPerNode }, (line) => io.log(line)));
  io.log(`To use it: export KUBECONFIG=${cluster.kubeconfig}. To stop it: trunnion cluster down.`);
  io.log(`A kubectl of its version: ${cluster.kubectl}`);
  io.out(`${cluster.kubeconfig}\n`);
}

/** Stops a cluster, if it runs. */
export async function clusterDown(
  io: Io,
  { dir, deleteData = false }: Folder & { deleteData?: boolean },
): Promise<void> {
  const cluster = await stopInBackground(dir);
  io.log(cluster === undefined ? 'No cluster runs.' : `Stopped ${cluster.url}.`);
  if (deleteData) {
    rmSync(dir, { recursive: true, force: true });
    io.log(`Deleted ${dir}.`);
  }
}

/** Tells whether a cluster runs. */
export async function clusterStatus(io: Io, { dir }: Folder): Promise<void> {
  const cluster = await running(dir);
  if (cluster === undefined) throw new CliError('no cluster runs; start one with trunnion cluster up');
  io.log(`It runs: ${summary(cluster)}.`);
  io.out(`${cluster.kubeconfig}\n`);
}

function summary({ url, nodes, gpusPerNode, startedAt, components }: Reply): string {
  return `${url}, ${nodes} nodes with ${gpusPerNode} GPUs each, since ${startedAt} (${components.join(', ')})`;
}
