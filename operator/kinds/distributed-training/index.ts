import { DistributedTraining } from '../../../constructs/distributed-training/distributed-training.ts';
import { distributedTraining as definition } from '../../../constructs/distributed-training/kind.ts';
import { KIND_LABEL } from '../../../constructs/distributed-training/parts.ts';
import type { DistributedTrainingState } from '../../../constructs/distributed-training/state.ts';
import { defineKind } from '../../runtime/index.ts';
import { TYPES } from '../../kube/index.ts';
import { propsOf } from '../shared/naming.ts';
import { typeOf } from '../shared/type.ts';
import { reconcile } from './reconcile.ts';
import { SSH_KEY, sshKeySecret } from './ssh-key.ts';
import { FIGURES } from './figures.ts';
import { refuse } from './refuse.ts';
import { COMPUTATIONS } from './tuning/computations.ts';
import type { DistributedTrainingResource } from './observed.ts';

export type { DistributedTrainingResource, DistributedTrainingState };

const TYPE = typeOf(definition);

/** The kind DistributedTraining. Its end needs nothing done before: the garbage collector stops its pods. */
export const distributedTraining = defineKind({
  schema: definition,
  label: KIND_LABEL,
  children: [
    { ...TYPES.serviceAccount, gcOnly: true },
    TYPES.configMap,
    { ...TYPES.service, gcOnly: true },
    TYPES.job,
    { ...TYPES.networkPolicy, gcOnly: true },
    TYPES.podDisruptionBudget,
    { ...TYPES.podGroup, optional: true },
    { ...TYPES.ciliumNetworkPolicy, optional: true },
    {
      // The trials of a search.
      ...TYPE,
      gcOnly: true,
      keep: [
        'status.observedGeneration',
        'status.phase',
        'status.conditions',
        'status.startTime',
        'status.completionTime',
        'status.objective',
      ],
    },
  ],
  permissions: ['remove-pods', 'read-secrets', 'make-secrets', 'expire'],
  computations: COMPUTATIONS,
  secrets: { [SSH_KEY]: sshKeySecret },
  figures: FIGURES,
  reconcile: (view) => reconcile(view, view.now),
  construct: (scope, { resource, state }) =>
    new DistributedTraining(scope, 'resource', { ...propsOf(resource), state }),
  refuse,
});
