import { Command } from 'commander';
import type { GraphOptions } from '../graph/run.ts';
import type { Io } from '../io.ts';
import { GROUPS, withExamples, withFile, withKinds, withOutput } from '../options.ts';

/** `trunnion graph`: the objects of resources, and their order, as an image. */
export function graphCommand(io: Io): Command {
  const command = new Command('graph')
    .helpGroup(GROUPS.develop)
    .summary('Draw the objects of resources, and their relations.')
    .description(
      'Draw the objects that resources turn into, what they have to do with each other, and which of them wait for which. No cluster is asked.',
    );
  withKinds(withOutput(withFile(command), ['svg', 'dot', 'json']))
    .option('-n, --namespace <name>', 'namespace of resources that name none', 'default')
    .action(async (options: GraphOptions) => (await import('../graph/run.ts')).runGraph(io, options));
  return withExamples(
    command,
    'trunnion graph -f model.yaml > model.svg',
    'trunnion graph -f web-app.yaml --kinds src/operator.ts > web-app.svg',
    'trunnion graph -f model.yaml -o dot | dot -Tpng > model.png',
  );
}
