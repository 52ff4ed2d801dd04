import { isDeepStrictEqual } from 'node:util';
import { agentSelector, urlOf } from '../../../constructs/agent-service/render-input.ts';
import type { AgentServiceStatus } from '../../../constructs/agent-service/status.ts';
import { selectorText } from '../../../constructs/parts/objects/index.ts';
import type { Refusal } from '../../../constructs/schema/error.ts';
import { conditionOf, stampConditions, timestamp } from '../../engine/api/index.ts';
import type { BareCondition } from '../../engine/api/index.ts';
import { verdictsOf } from './conditions.ts';
import type { Context } from './conditions.ts';
import { reasonOfRefusal } from '../shared/refusal.ts';
import { phaseOf } from './phase.ts';
import { knownReferences } from './references.ts';
import type { AgentServiceResource } from './observed.ts';

/** The status of a resource whose spec can work. */
export function statusOf(context: Context, now: number): AgentServiceStatus {
  const { observed, model, rollout } = context;
  const { resource } = observed.snapshot;
  const references = knownReferences(observed);
  return dated(
    resource,
    {
      ...report(resource, verdictsOf(context), now),
      ...(observed.service && { url: urlOf(observed.name, observed.namespace, observed.naming) }),
      replicas: rollout.state?.replicas ?? 0,
      readyReplicas: rollout.state?.ready ?? 0,
      selector: selectorText(agentSelector(observed.name)),
      ...(model.binding && { model: model.binding }),
      ...(references && { references }),
    },
    now,
  );
}

/** The status of a resource whose spec can't work. What runs, runs on as it was; nothing is changed any more. */
export function refuse(
  resource: AgentServiceResource,
  problems: string,
  now: number,
  seen: AgentServiceStatus = {},
  refusal?: Refusal,
): AgentServiceStatus {
  const before = resource.status?.conditions;
  const reason = reasonOfRefusal(refusal);
  const { replicas, readyReplicas } = seen;
  const refused = { status: 'False', reason, message: problems } as const;
  const untried = { status: 'Unknown', reason, message: 'Nothing has been tried yet.' } as const;
  const verdicts: readonly BareCondition[] = [
    { type: 'Accepted', ...refused },
    conditionOf(before, 'ResolvedRefs') ?? { type: 'ResolvedRefs', ...untried },
    conditionOf(seen.conditions, 'Available') ?? conditionOf(before, 'Available') ?? { type: 'Available', ...untried },
    { type: 'Progressing', ...refused },
    { type: 'Ready', ...refused },
  ];
  return dated(
    resource,
    {
      ...resource.status,
      ...report(resource, verdicts, now),
      ...(replicas !== undefined && { replicas }),
      ...(readyReplicas !== undefined && { readyReplicas }),
    },
    now,
  );
}

function report({ metadata, status }: AgentServiceResource, verdicts: readonly BareCondition[], now: number) {
  const generation = metadata.generation ?? 0;
  return {
    phase: phaseOf(verdicts),
    observedGeneration: generation,
    conditions: stampConditions(verdicts, status?.conditions, generation, now),
  };
}

/** With the time at which anything else of it last changed. */
function dated({ status }: AgentServiceResource, next: AgentServiceStatus, now: number): AgentServiceStatus {
  const isSame = isDeepStrictEqual({ ...status, lastUpdated: '' }, { ...next, lastUpdated: '' });
  const lastUpdated = isSame ? status?.lastUpdated : undefined;
  return { ...next, lastUpdated: lastUpdated ?? timestamp(now) };
}
