import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { DEFAULT_FOLDER, type Folder } from '../cluster/folder.ts';
import type { Size } from '../cluster/run.ts';
import type { Io } from '../io.ts';
import { count, GROUPS, withExamples } from '../options.ts';

/** `trunnion cluster`: a real control plane with simulated GPU nodes, in the background. */
export function clusterCommand(io: Io): Command {
  const command = new Command('cluster')
    .helpGroup(GROUPS.develop)
    .summary('Run a control plane with simulated GPU nodes.')
    .description('A real control plane with simulated GPU nodes, on this machine.');
  const up = command
    .command('up')
    .description("Start it in the background and print its kubeconfig's path.")
    .option('--nodes <number>', 'simulated nodes with GPUs', count, 4)
    .option('--gpus-per-node <number>', 'GPUs of each', count, 8)
    .option('--real-node', 'a real node too, real-0, with containerd; needs root on Linux, and says what is missing')
    .action(async (options: Folder & Size) => (await import('../cluster/run.ts')).clusterUp(io, options));
  const down = command
    .command('down')
    .description('Stop it. Its data stay, and the next `up` brings them back.')
    .option('--delete-data', 'delete its data as well')
    .action(async (options: Folder & { deleteData?: true }) =>
      (await import('../cluster/run.ts')).clusterDown(io, options),
    );
  const load = command
    .command('load <file>')
    .description('Bring an image onto its real node, as `docker save` and `npm run image` write it.')
    .action(async (file: string, options: Folder) =>
      (await import('../cluster/run.ts')).clusterLoad(io, file, options),
    );
  const status = command
    .command('status')
    .description('Tell whether it runs; exit code 1 where it does not.')
    .action(async (options: Folder) => (await import('../cluster/run.ts')).clusterStatus(io, options));
  for (const verb of [up, down, load, status]) {
    verb.addOption(
      new Option('--dir <path>', "folder of the cluster's data")
        .argParser((path) => resolve(path))
        .default(DEFAULT_FOLDER, '~/.cache/trunnion/cluster'),
    );
  }
  withExamples(
    up,
    'export KUBECONFIG=$(trunnion cluster up)',
    'trunnion cluster up --nodes 16 --gpus-per-node 4',
    'sudo trunnion cluster up --real-node',
  );
  withExamples(down, 'trunnion cluster down', 'trunnion cluster down --delete-data');
  withExamples(load, 'trunnion cluster load my-image.tar');
  withExamples(status, 'trunnion cluster status');
  return withExamples(command, 'trunnion cluster up', 'trunnion cluster status', 'trunnion cluster down');
}
