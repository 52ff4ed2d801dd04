import { foreignNames } from '../parts/annotations/index.ts';
import { AGE_COLUMN, PHASE_COLUMN } from '../schema/columns.ts';
import { defineSchema, SHIPPED } from '../schema/kind.ts';
import { agentServiceRestarts } from './restarts.ts';
import { resourceRules, staticRules } from './rules.ts';
import { agentServiceSpec } from './spec.ts';
import { agentServiceStatus } from './status.ts';

/** The kind AgentService: what its CRD, its reference page and `parseSpec` are made from. */
export const agentService = defineSchema({
  ...SHIPPED,
  kind: 'AgentService',
  plural: 'agentservices',
  shortNames: ['ags'],
  description:
    'An AgentService runs an agent: any image that listens on port 8000, with its model, its tools, its credentials and what it may reach, scaled by its load.',
  spec: agentServiceSpec,
  status: agentServiceStatus,
  rules: resourceRules,
  staticRules,
  namespaced: foreignNames,
  scalable: true,
  restarts: agentServiceRestarts,
  columns: [
    PHASE_COLUMN,
    { name: 'Model', type: 'string', jsonPath: '.spec.model', description: 'The model, where a provider serves it.' },
    {
      name: 'ModelRef',
      type: 'string',
      jsonPath: '.spec.modelRef.name',
      description: 'The ModelServing that serves the model.',
    },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas', description: 'Pods that take requests.' },
    { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas', description: 'Pods that run or are about to.' },
    {
      name: 'URL',
      type: 'string',
      jsonPath: '.status.url',
      description: 'Where clients ask, inside the cluster.',
      priority: 1,
    },
    AGE_COLUMN,
  ],
});
