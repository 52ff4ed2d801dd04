import { kinds } from '../kinds.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import type { ClusterOptions } from '../options.ts';
import { liveResource, NoResourceError } from '../live.ts';
import type { KnownResource } from '../resources.ts';
import { objectsFor } from './objects.ts';
import { describeRelease, RELEASE_FORMATS } from './print.ts';
import { planRelease, release } from './release.ts';

/** The options of `trunnion release`. */
export interface ReleaseOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly output: 'yaml' | 'pulumi';
}

/** Has the operator let go of a resource, once the person agrees. */
export async function runRelease(io: Io, reference: string, flags: ReleaseOptions): Promise<void> {
  const { yes = false, dryRun = false, wait = true, output } = flags;
  const namespace = await namespaceOf(flags);
  await withClient(settingsOf(flags), async (client) => {
    const known = await unlessReleased(client, reference, namespace, (line) => io.log(line));
    if (known === undefined) return;
    const { kind, resource } = known;
    const plan = await planRelease(client, kind, resource);
    io.log(describeRelease(plan));
    if (!dryRun && !yes && !(await io.confirm('Have the operator let go of these?'))) {
      io.log('Nothing was done. Add --yes where nobody can be asked.');
      return;
    }
    io.out(RELEASE_FORMATS[output](plan, kind, resource));
    if (!dryRun) await release(client, kind, resource, wait, (line) => io.log(line));
  });
}

/**
 * The resource, unless it is gone and what it ran is nobody's: then it was released before, which is no failure.
 *
 * @throws NoResourceError where nothing is left of it either
 */
async function unlessReleased(
  client: KubeClient,
  reference: string,
  namespace: string,
  log: (line: string) => void,
): Promise<Pick<KnownResource, 'kind' | 'resource'> | undefined> {
  try {
    return await liveResource(client, reference, namespace, kinds, log);
  } catch (error) {
    if (!(error instanceof NoResourceError)) throw error;
    const name = error.resourceName;
    for (const kind of error.kinds) {
      const left = await objectsFor(client, kind, { metadata: { name, namespace } });
      if (left.length === 0 || left.some(({ metadata }) => metadata.ownerReferences !== undefined)) continue;
      log(`${kind.type.kind} ${namespace}/${name} is released already: its objects run on, and are nobody's`);
      return undefined;
    }
    throw error;
  }
}
