import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import { rolloutOf as rolloutOfDeployment } from '../shared/rollout.ts';
import type { Rollout } from '../shared/rollout.ts';
import { missingPullSecrets, missingReferences } from './references.ts';
import { surgeHindrance } from './surge.ts';
import type { View } from './view.ts';

/**
 * How the servers stand.
 *
 * @param template - the spec that they are made from
 */
export const rolloutOf = (view: View, template: ModelServingSpec): Rollout =>
  rolloutOfDeployment({
    deployment: view.deployment,
    pods: view.servers,
    asked: template.resources,
    missing: missingReferences(view, template),
    missingPullSecrets: missingPullSecrets(view),
    surges: view.spec.rollout?.maxSurge !== 0 && surgeHindrance(view) === undefined,
    facts: view.snapshot.facts,
  });
