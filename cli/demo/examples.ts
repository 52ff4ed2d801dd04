import type { Io } from '../io.ts';
import { readManifests } from '../manifests.ts';
import { packageFile } from '../package.ts';
import { type KnownResource, resourcesOf } from '../resources.ts';

/** The end of a kind's resource, and how it may end otherwise. */
export interface Ends {
  readonly good: string;
  readonly bad: string;
  /** Whether it may leave `bad` by itself: a node comes, a right is given. */
  readonly passes: boolean;
}

/** Where the demo stops looking, by kind. */
export const ENDS: Readonly<Record<string, Ends>> = {
  ModelServing: { good: 'Running', bad: 'Failed', passes: true },
  AgentService: { good: 'Running', bad: 'Error', passes: true },
  DistributedTraining: { good: 'Completed', bad: 'Failed', passes: false },
};

/** Simulated GPUs and images cost nothing. */
const SIMULATED = ['model-serving.yaml', 'agent-service.yaml', 'distributed-training.yaml'];

/** Runs for real wherever there are CPUs: the image of its engine is public, and has all that it needs. */
const REAL = ['model-serving-cpu.yaml'];

/**
 * The resources that the demo shows, in its namespace.
 *
 * @param filename - a file of the user's own in place of the examples
 */
export async function examples(
  io: Io,
  {
    simulated,
    namespace,
    filename,
  }: { readonly simulated: boolean; readonly namespace: string; readonly filename?: string | undefined },
): Promise<readonly KnownResource[]> {
  const files = simulated ? SIMULATED : REAL;
  const sources = filename === undefined ? files.map((file) => packageFile('examples', file)) : [filename];
  const all = await Promise.all(
    sources.map(async (source) =>
      resourcesOf(await readManifests(source, io), { namespace, source, log: (line) => io.log(line) }),
    ),
  );
  io.log(`Applying ${(filename === undefined ? files.map((file) => `examples/${file}`) : sources).join(', ')}.`);
  if (!simulated && filename === undefined)
    io.log('The simulated cluster shows an agent and a training as well: trunnion demo --no-real.');
  return all.flat();
}
