import { foreignNames } from '../parts/annotations/index.ts';
import { AGE_COLUMN, PHASE_COLUMN } from '../schema/columns.ts';
import { defineSchema, SHIPPED } from '../schema/kind.ts';
import { distributedTrainingRestarts } from './restarts.ts';
import { resourceRules, staticRules } from './rules.ts';
import { distributedTrainingSpec } from './spec.ts';
import { distributedTrainingStatus } from './status.ts';

/** The kind DistributedTraining: what its CRD, its reference page and `parseSpec` are made from. */
export const distributedTraining = defineSchema({
  ...SHIPPED,
  kind: 'DistributedTraining',
  plural: 'distributedtrainings',
  shortNames: ['dtr'],
  description:
    'A DistributedTraining trains a model on many pods at once: it gives ranks names, starts them together, and starts them again when one fails.',
  spec: distributedTrainingSpec,
  status: distributedTrainingStatus,
  rules: resourceRules,
  staticRules,
  namespaced: foreignNames,
  scalable: true,
  restarts: distributedTrainingRestarts,
  columns: [
    PHASE_COLUMN,
    { name: 'Framework', type: 'string', jsonPath: '.spec.framework', description: 'What it is written in.' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas', description: 'Pods that run.' },
    { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas', description: 'Pods that there are.' },
    { name: 'Attempt', type: 'integer', jsonPath: '.status.attempt', description: 'The number of the attempt.' },
    {
      name: 'Failures',
      type: 'integer',
      jsonPath: '.status.failures',
      description: 'How much of retry.limit is used up.',
      priority: 1,
    },
    AGE_COLUMN,
  ],
});
