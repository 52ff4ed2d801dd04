import type { ReleaseOptions } from '../commands/release.ts';
import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import { liveResource } from '../resources.ts';
import { describeRelease, RELEASE_FORMATS } from './print.ts';
import { planRelease, release } from './release.ts';

/** Has the operator let go of a resource, once the person agrees. */
export async function runRelease(io: Io, reference: string, flags: ReleaseOptions): Promise<void> {
  const { yes = false, dryRun = false, operatorAway = false, output } = flags;
  const namespace = await namespaceOf(flags);
  await withClient(settingsOf(flags), async (client) => {
    const { kind, resource } = await liveResource(client, reference, namespace);
    const plan = await planRelease(client, kind, resource);
    io.say(describeRelease(plan));
    if (!dryRun && !yes && !(await io.confirm('Have the operator let go of these?'))) {
      io.say('Nothing was done. Add --yes where nobody can be asked.');
      return;
    }
    io.out(RELEASE_FORMATS[output](plan, kind, resource));
    if (!dryRun) await release(client, kind, resource, operatorAway, (line) => io.say(line));
  });
}
