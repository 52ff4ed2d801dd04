import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { cacheFolder } from '../../cluster/binaries.ts';
import { running, startInBackground, stopInBackground } from '../cluster/background.ts';
import type { Answer } from '../cluster/control.ts';
import { CliError } from '../errors.ts';
import type { Io } from '../io.ts';
import { count, withExamples } from '../options.ts';

interface Folder {
  readonly dir: string;
}

/** `trunnion cluster`: a real control plane with simulated GPU nodes, in the background. */
export function clusterCommand(io: Io): Command {
  const command = new Command('cluster').description('A real control plane with simulated GPU nodes, on this machine.');
  const up = command
    .command('up')
    .description("Start it in the background and print its kubeconfig's path.")
    .option('--nodes <number>', 'simulated nodes with GPUs', count, 4)
    .option('--gpus-per-node <number>', 'GPUs of each', count, 8)
    .action((options: Folder & { nodes: number; gpusPerNode: number }) => clusterUp(io, options));
  const down = command
    .command('down')
    .description('Stop it. Its data stay, and the next `up` brings them back.')
    .option('--delete-data', 'delete its data as well')
    .action((options: Folder & { deleteData?: true }) => clusterDown(io, options));
  const status = command
    .command('status')
    .description('Tell whether it runs; exit code 1 where it does not.')
    .action((options: Folder) => clusterStatus(io, options));
  for (const verb of [up, down, status]) {
    verb.option(
      '--dir <path>',
      "folder of the cluster's data",
      (path) => resolve(path),
      join(cacheFolder(), 'cluster'),
    );
  }
  withExamples(up, 'export KUBECONFIG=$(trunnion cluster up)', 'trunnion cluster up --nodes 16 --gpus-per-node 4');
  withExamples(down, 'trunnion cluster down', 'trunnion cluster down --delete-data');
  withExamples(status, 'trunnion cluster status');
  return withExamples(command, 'trunnion cluster up', 'trunnion cluster status', 'trunnion cluster down');
}

async function clusterUp(io: Io, { dir, nodes, gpusPerNode }: Folder & { nodes: number; gpusPerNode: number }) {
  const earlier = await running(dir);
  if (earlier !== undefined) io.say(`It runs already: ${summary(earlier)}.`);
  const cluster = earlier ?? (await startInBackground({ dir, nodes, gpusPerNode }, (line) => io.say(line)));
  io.say(`To use it: export KUBECONFIG=${cluster.kubeconfig}. To stop it: trunnion cluster down.`);
  io.say(`A kubectl of its version: ${cluster.kubectl}`);
  io.out(`${cluster.kubeconfig}\n`);
}

async function clusterDown(io: Io, { dir, deleteData = false }: Folder & { deleteData?: boolean }) {
  const cluster = await stopInBackground(dir);
  io.say(cluster === undefined ? 'No cluster runs.' : `Stopped ${cluster.url}.`);
  if (deleteData) {
    rmSync(dir, { recursive: true, force: true });
    io.say(`Deleted ${dir}.`);
  }
}

async function clusterStatus(io: Io, { dir }: Folder) {
  const cluster = await running(dir);
  if (cluster === undefined) throw new CliError('no cluster runs; start one with trunnion cluster up');
  io.say(`It runs: ${summary(cluster)}.`);
  io.out(`${cluster.kubeconfig}\n`);
}

function summary({ url, nodes, gpusPerNode, startedAt, components }: Answer): string {
  return `${url}, ${nodes} nodes with ${gpusPerNode} GPUs each, since ${startedAt} (${components.join(', ')})`;
}
