import { Command } from 'commander';
import type { Io } from '../io.ts';
import { GROUPS, withClusterOptions, withExamples } from '../options.ts';
import type { TuningOptions } from '../tuning/run.ts';

/** `trunnion tuning`: how a search is doing. */
export function tuningCommand(io: Io): Command {
  const command = new Command('tuning')
    .helpGroup(GROUPS.look)
    .summary('Draw a search over hyperparameters.')
    .description(
      'Draw a search: the best value over its trials, where its parameters were, and how important each of them is.',
    )
    .argument('<name>', 'name of a DistributedTraining with spec.tuning')
    .option('-n, --namespace <name>', "its namespace (default: the context's)")
    .option('--svg <path>', 'write it as an image, too')
    .action(async (name: string, options: TuningOptions) =>
      (await import('../tuning/run.ts')).runTuning(io, name, options),
    );
  return withExamples(
    withClusterOptions(command),
    'trunnion tuning resnet-search',
    'trunnion tuning resnet-search -n training --svg search.svg',
  );
}
