import { Command } from 'commander';
import type { PlaceOptions } from '../demo/place.ts';
import type { Io } from '../io.ts';
import { withClusterOptions, withExamples } from '../options.ts';
import { untilEnded } from '../signals.ts';

/** `trunnion demo`: a resource of each kind, from nothing to where it is meant to come. */
export function demoCommand(io: Io): Command {
  const command = new Command('demo')
    .description('Show a model, an agent and a training from nothing, on a control plane that is started for it.')
    .option('-y, --yes', 'on a cluster of your own, continue without asking')
    .action(async (options: PlaceOptions) => {
      const { demo } = await import('../demo/demo.ts');
      await untilEnded((signal) => demo(io, options, signal));
    });
  return withExamples(withClusterOptions(command), 'trunnion demo', 'trunnion demo --context staging');
}
