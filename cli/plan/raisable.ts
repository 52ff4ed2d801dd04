import type { Kind, Snapshot } from '../../operator/engine/api/index.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { futureFrom } from './future.ts';
import { endOf } from './notes.ts';

/** The bounds of a search, in our words and in those of an MLTrainingJob. */
const BOUNDS = [
  ['tuning', 'maxTrials'],
  ['tuning', 'maxFailedTrials'],
  ['autoTuning', 'maxTrials'],
] as const;

/**
 * The bounds of a search that has ended with which it would continue, if one alone were raised. The operator's own decision
 * is asked, since not each search that is over can: one may have tried all there is, or reached its target.
 */
export async function raisableOf(client: KubeClient, kind: Kind, snapshot: Snapshot): Promise<readonly string[]> {
  const raisable: string[] = [];
  for (const [search, bound] of BOUNDS) {
    const raised = withRaised(snapshot, search, bound);
    if (raised === undefined) continue;
    const { status, waitForAnswers } = await futureFrom(client, kind, raised);
    if (endOf(status) === undefined && !waitForAnswers) raisable.push(`spec.${search}.${bound}`);
  }
  return raisable;
}

/** The snapshot once somebody has raised a bound by one; undefined where the spec has none. */
function withRaised(snapshot: Snapshot, search: string, bound: string): Snapshot | undefined {
  const { metadata, ...resource } = snapshot.resource;
  const spec = resource.spec as Readonly<Record<string, unknown>>;
  const bounds = spec[search] as Readonly<Record<string, unknown>> | undefined;
  const value = bounds?.[bound];
  if (typeof value !== 'number') return undefined;
  return {
    ...snapshot,
    resource: {
      ...resource,
      metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 },
      spec: { ...spec, [search]: { ...bounds, [bound]: value + 1 } },
    },
  };
}
