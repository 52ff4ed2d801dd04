import { Command } from 'commander';
import type { Io } from '../io.ts';
import type { NewOptions } from '../new/run.ts';
import { GROUPS, withExamples } from '../options.ts';

/** `trunnion new`: a project for an operator of one's own. */
export function newCommand(io: Io): Command {
  const command = new Command('new')
    .helpGroup(GROUPS.start)
    .summary('Write a project for an operator of your own.')
    .description(
      'Write a project for an operator of your own: a kind with its construct, tests, an image, a chart and CI. It runs as it is, and prints the five commands that install, test, run, pack and deploy it.',
    )
    .argument('<folder>', 'folder to write to: one that is empty, or not there yet')
    .option('--group <domain>', 'API group of the kind: a domain of yours', 'acme.dev')
    .option('--kind <name>', 'the kind, as in kind: WebApp', 'WebApp')
    .option('--plural <name>', 'its plural, as in kubectl get webapps (default: the English one)')
    .option('--name <name>', "the operator's name (default: the group's first part and -operator)")
    .action(async (folder: string, options: NewOptions) => (await import('../new/run.ts')).runNew(io, folder, options));
  return withExamples(
    command,
    'trunnion new acme-operator',
    'trunnion new game-operator --group games.example.com --kind GameServer',
  );
}
