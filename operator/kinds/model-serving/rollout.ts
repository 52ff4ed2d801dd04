import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import { rolloutOf as rolloutOfDeployment } from '../shared/rollout.ts';
import type { Rollout } from '../shared/rollout.ts';
import { missingPullSecrets, missingReferences } from './references.ts';
import { surgeHindrance } from './surge.ts';
import type { Observed } from './observed.ts';

/**
 * How the servers stand.
 *
 * @param template - the spec that they are made from
 */
export const rolloutOf = (observed: Observed, template: ModelServingSpec): Rollout =>
  rolloutOfDeployment({
    deployment: observed.deployment,
    pods: observed.servers,
    asked: template.resources,
    missing: missingReferences(observed, template),
    missingPullSecrets: missingPullSecrets(observed),
    surges: observed.spec.rollout?.maxSurge !== 0 && surgeHindrance(observed) === undefined,
    answers: observed.snapshot.answers,
  });
