import * as z from 'zod';
import { modelServingStatus } from '../../../constructs/model-serving/status.ts';
import { count } from '../../../constructs/parts/objects/schema.ts';
import { AGE_COLUMN, PHASE_COLUMN } from '../../../constructs/schema/columns.ts';
import { defineSchema, SHIPPED } from '../../../constructs/schema/kind.ts';
import type { Parsed } from '../../../constructs/schema/types.ts';
import { download } from '../download.schema.ts';
import { compatStatus, openSpec, phase, text } from '../schema.ts';

/** The phases that users of ModelDeployment know. */
export const PHASES = ['Pending', 'Downloading', 'Deploying', 'Running', 'Failed'] as const;

const spec = openSpec({
  modelName: text.describe('The name that clients ask for.').optional(),
  modelSource: text
    .describe('Where the weights come from: huggingface://OWNER/NAME, s3://BUCKET/PREFIX or any other of model.uri.')
    .optional(),
  gpus: z.int().min(0).describe('GPUs of one replica, over which the model is split.').default(0),
  autoScaling: z.boolean().describe('Whether it is scaled by its load, with replicas as the fewest.').default(false),
  ...download,
  deprecated: z
    .boolean()
    .describe(
      'Takes it out of service: its endpoint goes, the requests in flight end, then its pods go. The resource and its weights stay; false brings it back. Default: false.',
    )
    .optional(),
});

const status = compatStatus(
  {
    phase: phase(PHASES),
    endpoint: text.describe('Where clients ask, inside the cluster.').optional(),
    readyPods: count.describe('Number of pods that take requests.').optional(),
  },
  modelServingStatus,
);

/** The kind ModelDeployment. */
export const modelDeployment = defineSchema({
  ...SHIPPED,
  group: 'ai.example.com',
  kind: 'ModelDeployment',
  plural: 'modeldeployments',
  shortNames: [],
  description: 'A ModelDeployment downloads a model and serves it with vLLM. It runs as a ModelServing.',
  spec,
  status,
  rules: [],
  staticRules: [],
  scalable: true,
  columns: [
    { name: 'Model', type: 'string', jsonPath: '.spec.modelName', description: 'The model.' },
    PHASE_COLUMN,
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyPods', description: 'Pods that take requests.' },
    {
      name: 'Endpoint',
      type: 'string',
      jsonPath: '.status.endpoint',
      description: 'Where clients ask.',
      priority: 1,
    },
    AGE_COLUMN,
  ],
});

export type ModelDeploymentSpec = Parsed<z.output<typeof spec>>;
export type ModelDeploymentStatus = Parsed<z.output<typeof status>>;
