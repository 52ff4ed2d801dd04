import { foreignNames } from '../parts/annotations/index.ts';
import { AGE_COLUMN, PHASE_COLUMN } from '../schema/columns.ts';
import { defineSchema, SHIPPED } from '../schema/kind.ts';
import { proxyProblems } from './proxy.rules.ts';
import { splitArgumentProblems } from './split-arguments.rules.ts';
import { modelServingRestarts } from './restarts.ts';
import { resourceRules, staticRules } from './rules.ts';
import { modelServingSpec } from './spec.ts';
import { modelServingStatus } from './status.ts';

/** The kind ModelServing: what its CRD, its reference page and `parseSpec` are made from. */
export const modelServing = defineSchema({
  ...SHIPPED,
  kind: 'ModelServing',
  plural: 'modelservings',
  shortNames: ['msv'],
  description:
    'A ModelServing serves one model: it fetches the weights, runs an engine on them, scales it and exposes it.',
  spec: modelServingSpec,
  status: modelServingStatus,
  rules: resourceRules,
  staticRules,
  namespaced: (spec, namespace) => [
    ...foreignNames(spec, namespace),
    ...proxyProblems(spec),
    ...splitArgumentProblems(spec),
  ],
  scalable: true,
  restarts: modelServingRestarts,
  columns: [
    PHASE_COLUMN,
    { name: 'Model', type: 'string', jsonPath: '.spec.model.uri', description: 'Where the weights come from.' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas', description: 'Pods that take requests.' },
    {
      name: 'Replicas',
      type: 'integer',
      jsonPath: '.status.replicas',
      description: 'Pods that serve or are about to.',
    },
    {
      name: 'Endpoint',
      type: 'string',
      jsonPath: '.status.endpoint',
      description: 'Where clients ask, inside the cluster.',
      priority: 1,
    },
    AGE_COLUMN,
  ],
});
