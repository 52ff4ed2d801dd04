import { Command } from 'commander';
import type { Io } from '../io.ts';
import { GROUPS, withExamples, withFile, withKinds, withOutput } from '../options.ts';
import type { RenderOptions } from '../render/run.ts';

/** `trunnion render`: what the constructs give for resources, with no cluster asked. */
export function renderCommand(io: Io): Command {
  const command = new Command('render')
    .helpGroup(GROUPS.develop)
    .summary('Print the objects that resources turn into.')
    .description(
      'Print the objects that resources turn into. No cluster is asked. All problems of a spec are reported at once.',
    );
  withKinds(withOutput(withFile(command), ['yaml', 'json']))
    .option('-n, --namespace <name>', 'namespace of resources that name none', 'default')
    .option('--keep-others', 'print all other objects as they are, in their places', false)
    .action(async (options: RenderOptions) => (await import('../render/run.ts')).runRender(io, options));
  return withExamples(
    command,
    'trunnion render -f model.yaml',
    'trunnion render -f model.yaml > /dev/null && echo valid',
    'trunnion render -f web-app.yaml --kinds src/operator.ts',
    'kubectl get modelserving llama-3-8b -o yaml | trunnion render -f -',
    'python main.py | trunnion render -f - --keep-others | kubectl apply -f -',
  );
}
