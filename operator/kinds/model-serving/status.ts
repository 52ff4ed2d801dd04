import { endpointOf } from '../../../constructs/model-serving/launch.ts';
import { serverSelector } from '../../../constructs/model-serving/manifests.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import { selectorText } from '../../../constructs/parts/objects/index.ts';
import type { Refusal } from '../../../constructs/schema/error.ts';
import { conditionOf, stampConditions } from '../../engine/api/index.ts';
import type { BareCondition } from '../../engine/api/index.ts';
import { verdictsOf } from './conditions.ts';
import type { Context } from './conditions.ts';
import { reasonOfRefusal } from '../shared/refusal.ts';
import { phaseOf } from './phase.ts';
import { referencesOf } from './references.ts';
import { imagesInUse, servedSpec } from './template.ts';
import type { ModelServingResource } from './observed.ts';

/** The status of a resource whose spec can work. */
export function statusOf(context: Context, now: number): ModelServingStatus {
  const { observed, weights, rollout, drain, earlier, template } = context;
  const { metadata } = observed.snapshot.resource;
  const { lifecycle } = drain;
  const engine = imagesInUse(observed, template, drain);
  const served = servedSpec(observed, earlier, drain);
  const references = lifecycle === 'retired' ? undefined : referencesOf(observed, template);
  const answers = lifecycle === 'serving' && observed.service !== undefined && rollout.state !== undefined;
  return {
    ...report(observed.snapshot.resource, verdictsOf(context), now),
    ...(answers && { endpoint: endpointOf(observed.name, metadata.namespace ?? '', template) }),
    replicas: rollout.state?.replicas ?? 0,
    readyReplicas: rollout.state?.ready ?? 0,
    selector: selectorText(serverSelector(observed.name)),
    weights: weights.progress,
    ...(engine && { engine }),
    ...(served && { served }),
    ...(drain.status && { drain: drain.status }),
    ...(references && { references }),
  };
}

/** The status of a resource whose spec can't work. What serves, serves on as it was; nothing is changed any more. */
export function refuse(
  resource: ModelServingResource,
  problems: string,
  now: number,
  seen: ModelServingStatus = {},
  refusal?: Refusal,
): ModelServingStatus {
  const before = resource.status?.conditions;
  const reason = reasonOfRefusal(refusal);
  const { replicas, readyReplicas } = seen;
  const refused = { status: 'False', reason, message: problems } as const;
  const untried = { status: 'Unknown', reason, message: 'Nothing has been tried yet.' } as const;
  const verdicts: readonly BareCondition[] = [
    { type: 'Accepted', ...refused },
    conditionOf(before, 'WeightsReady') ?? { type: 'WeightsReady', ...untried },
    conditionOf(seen.conditions, 'Available') ?? conditionOf(before, 'Available') ?? { type: 'Available', ...untried },
    { type: 'Progressing', ...refused },
    { type: 'Ready', ...refused },
  ];
  return {
    ...resource.status,
    ...report(resource, verdicts, now),
    ...(replicas !== undefined && { replicas }),
    ...(readyReplicas !== undefined && { readyReplicas }),
  };
}

function report({ metadata, status }: ModelServingResource, verdicts: readonly BareCondition[], now: number) {
  const generation = metadata.generation ?? 0;
  return {
    phase: phaseOf(verdicts),
    observedGeneration: generation,
    conditions: stampConditions(verdicts, status?.conditions, generation, now),
  };
}
