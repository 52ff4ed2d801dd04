import { CliError } from '../errors.ts';
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

/** Those that run anywhere: the image of an engine is public, and has all that it needs. */
const SELF_CONTAINED = ['model-serving.yaml'];

/** These run images of their users, of which simulated pods need none. */
const WITH_OWN_IMAGES = ['agent-service.yaml', 'distributed-training.yaml'];

/** The examples that the demo shows, as resources of its namespace. */
export async function examples(io: Io, simulated: boolean, namespace: string): Promise<readonly KnownResource[]> {
  const files = simulated ? [...SELF_CONTAINED, ...WITH_OWN_IMAGES] : SELF_CONTAINED;
  const all = await Promise.all(
    files.map(async (file) => {
      const source = packageFile('examples', file);
      const [first] = resourcesOf(await readManifests(source, io), { namespace, source, log: (line) => io.log(line) });
      if (first === undefined) throw new CliError(`${source} has no resource`);
      return first;
    }),
  );
  io.log(`Applying ${files.map((file) => `examples/${file}`).join(', ')}.`);
  if (!simulated) io.log(`${WITH_OWN_IMAGES.join(' and ')} need images of yours; the simulated cluster shows them.`);
  return all;
}
