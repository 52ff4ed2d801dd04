import { Command } from 'commander';
import type { Manifest } from '../../constructs/workload.ts';
import type { Io } from '../io.ts';
import { printManifests, readManifests } from '../manifests.ts';
import { withExamples } from '../options.ts';
import { resolve } from '../references.ts';
import { resourcesOf } from '../resources.ts';

interface RenderOptions {
  readonly file: string;
  readonly namespace: string;
}

/** What is done about a reference that leads nowhere. */
const LEFT_OUT = 'What follows from it is left out; trunnion plan would look for it in the cluster.';

/** `trunnion render`: what the constructs give for resources, with no cluster asked. */
export function renderCommand(io: Io): Command {
  const command = new Command('render')
    .description('Print, as YAML, the objects that resources turn into. No cluster is asked.')
    .requiredOption('-f, --file <path>', 'file with resources, as YAML or JSON; - is the standard input')
    .option('-n, --namespace <name>', 'namespace of resources that name none', 'default')
    .action(async ({ file, namespace }: RenderOptions) => {
      const resources = resourcesOf(await readManifests(file, io), {
        namespace,
        source: file,
        say: (line) => io.say(line),
      });
      // All problems of specs are told before what refers to one of them is looked up.
      for (const { kind, resource } of resources) kind.render(resource, {});
      const manifests = resources.flatMap((known): Manifest[] => {
        const { kind, resource } = known;
        const { runtime, missing } = resolve(known, resources, file === '-' ? 'standard input' : file);
        for (const words of missing) {
          io.say(`${kind.type.kind} ${resource.metadata.name}: ${words} ${LEFT_OUT}`);
        }
        return kind.render(resource, runtime).map((child) => child.manifest);
      });
      io.out(printManifests(manifests));
    });
  return withExamples(
    command,
    'trunnion render -f model.yaml',
    'kubectl get modelserving llama-3-8b -o yaml | trunnion render -f -',
  );
}
