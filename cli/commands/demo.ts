import { Command } from 'commander';
import type { PlaceOptions } from '../demo/place.ts';
import type { Io } from '../io.ts';
import { GROUPS, withClusterOptions, withExamples } from '../options.ts';
import { untilEnded } from '../signals.ts';

/** `trunnion demo`: a resource of each kind, from nothing to where it is meant to come. */
export function demoCommand(io: Io): Command {
  const command = new Command('demo')
    .helpGroup(GROUPS.start)
    .summary('See a model, an agent and a training from nothing.')
    .description(
      'Show a model, an agent and a training from nothing, on a control plane that is started for it. Where a model runs for real, it is asked a question in the end.',
    )
    .option('--real', 'on a real node of this machine, with a small model on CPUs (default: where that can be)')
    .option('--no-real', 'with simulated pods, though a real node can be had')
    .option('-f, --filename <file>', 'resources to show in place of the examples')
    .option('-y, --yes', 'on a cluster of your own, continue without asking')
    .action(async (options: PlaceOptions) => {
      const { demo } = await import('../demo/demo.ts');
      await untilEnded((signal) => demo(io, options, signal));
    });
  return withExamples(
    withClusterOptions(command),
    'trunnion demo',
    'trunnion demo --real',
    'trunnion demo --context staging',
  );
}
