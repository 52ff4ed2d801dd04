import { App, Chart } from 'cdk8s';
import { DistributedTraining } from '../../../constructs/distributed-training/distributed-training.ts';
import { distributedTraining as definition } from '../../../constructs/distributed-training/kind.ts';
import { KIND_LABEL } from '../../../constructs/distributed-training/parts.ts';
import type { DistributedTrainingState } from '../../../constructs/distributed-training/state.ts';
import { GROUP, VERSION } from '../../../constructs/schema/kind.ts';
import type { Kind, ResourceType } from '../../engine/api/index.ts';
import { CILIUM_POLICY, NETWORK_POLICY } from '../../engine/api/index.ts';
import { propsOf } from '../shared/naming.ts';
import { reconcile } from './reconcile.ts';
import { FIGURES } from './figures.ts';
import { refuse } from './status.ts';
import { POD_GROUP } from './trouble.ts';
import { COMPUTATIONS } from './tuning/computations.ts';
import type { DistributedTrainingResource } from './observed.ts';

export type { DistributedTrainingResource, DistributedTrainingState };

const type = (group: string, version: string, kind: string, plural: string): ResourceType => ({
  group,
  version,
  kind,
  plural,
});

const TYPE = type(GROUP, VERSION, definition.kind, definition.plural);

/** The kind DistributedTraining. Its end needs nothing done before: the garbage collector stops its pods. */
export const distributedTraining: Kind<DistributedTrainingResource, DistributedTrainingState> = {
  type: TYPE,
  label: KIND_LABEL,
  childTypes: [
    { ...type('', 'v1', 'ServiceAccount', 'serviceaccounts'), gcOnly: true },
    type('', 'v1', 'ConfigMap', 'configmaps'),
    { ...type('', 'v1', 'Service', 'services'), gcOnly: true },
    type('batch', 'v1', 'Job', 'jobs'),
    { ...NETWORK_POLICY, gcOnly: true },
    type('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
    { ...POD_GROUP, optional: true },
    { ...CILIUM_POLICY, optional: true },
    // The trials of a search.
    { ...TYPE, gcOnly: true },
  ],
  permissions: ['remove-pods', 'make-secrets', 'expire'],
  computations: COMPUTATIONS,
  figures: FIGURES,
  reconcile,
  render: (resource, state) =>
    new DistributedTraining(new Chart(new App(), 'operator'), 'resource', {
      ...propsOf(resource),
      state,
    }).render(),
  refuse,
};
