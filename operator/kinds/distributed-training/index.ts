import { App, Chart } from 'cdk8s';
import { DistributedTraining } from '../../../constructs/distributed-training/distributed-training.ts';
import { distributedTraining as definition } from '../../../constructs/distributed-training/kind.ts';
import { KIND_LABEL } from '../../../constructs/distributed-training/parts.ts';
import type { DistributedTrainingRuntime } from '../../../constructs/distributed-training/runtime.ts';
import { GROUP, VERSION } from '../../../constructs/schema/kind.ts';
import type { Kind, ResourceType } from '../../engine/kind.ts';
import { CILIUM_POLICY, NETWORK_POLICY } from '../../engine/policy-types.ts';
import { propsOf } from '../shared/naming.ts';
import { conduct } from './conduct.ts';
import { FIGURES } from './figures.ts';
import { refuse } from './status.ts';
import { POD_GROUP } from './trouble.ts';
import { COMPUTATIONS } from './tuning/computations.ts';
import type { DistributedTrainingResource } from './view.ts';

export type { DistributedTrainingResource, DistributedTrainingRuntime };

const type = (group: string, version: string, kind: string, plural: string): ResourceType => ({
  group,
  version,
  kind,
  plural,
});

const TYPE = type(GROUP, VERSION, definition.kind, definition.plural);

/** The kind DistributedTraining. Its end needs nothing done before: the garbage collector stops its pods. */
export const distributedTraining: Kind<DistributedTrainingResource, DistributedTrainingRuntime> = {
  type: TYPE,
  label: KIND_LABEL,
  childTypes: [
    { ...type('', 'v1', 'ServiceAccount', 'serviceaccounts'), stays: true },
    type('', 'v1', 'ConfigMap', 'configmaps'),
    { ...type('', 'v1', 'Service', 'services'), stays: true },
    type('batch', 'v1', 'Job', 'jobs'),
    { ...NETWORK_POLICY, stays: true },
    type('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
    { ...POD_GROUP, optional: true },
    { ...CILIUM_POLICY, optional: true },
    // The trials of a search.
    { ...TYPE, stays: true },
  ],
  powers: ['remove-pods', 'make-secrets', 'expire'],
  computations: COMPUTATIONS,
  figures: FIGURES,
  conduct,
  render: (resource, runtime) =>
    new DistributedTraining(new Chart(new App(), 'operator'), 'resource', { ...propsOf(resource), runtime }).render(),
  refuse,
};
