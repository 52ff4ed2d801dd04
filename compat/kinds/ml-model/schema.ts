import * as z from 'zod';
import { modelServingStatus } from '../../../constructs/model-serving/status.ts';
import { AGE_COLUMN, PHASE_COLUMN } from '../../../constructs/schema/columns.ts';
import { defineSchema, SHIPPED } from '../../../constructs/schema/kind.ts';
import type { Parsed } from '../../../constructs/schema/types.ts';
import { download } from '../download.schema.ts';
import { compatStatus, openSpec, phase, text } from '../schema.ts';

/** The phases of MLModel: its users know one at each step. */
export const PHASES = ['Pending', 'Downloading', 'Deploying', 'Running', 'Failed'] as const;

const spec = openSpec({
  modelName: text.describe('The name that clients ask for.').optional(),
  modelSource: text
    .describe('Where the model is downloaded from: https://HOST/FILE or any other of model.uri.')
    .optional(),
  ...download,
});

const status = compatStatus(
  {
    phase: phase(PHASES),
    message: z.string().max(32_768).describe('What it does, or why it failed.').optional(),
    endpoint: text.describe('Where clients ask, inside the cluster.').optional(),
  },
  modelServingStatus,
);

/** The kind MLModel. */
export const mlModel = defineSchema({
  ...SHIPPED,
  group: 'ml.example.com',
  kind: 'MLModel',
  plural: 'mlmodels',
  shortNames: [],
  description: 'An MLModel downloads a model and serves it with TensorFlow Serving. It runs as a ModelServing.',
  spec,
  status,
  rules: [],
  staticRules: [],
  scalable: true,
  columns: [
    { name: 'Model', type: 'string', jsonPath: '.spec.modelName', description: 'The model.' },
    PHASE_COLUMN,
    {
      name: 'Message',
      type: 'string',
      jsonPath: '.status.message',
      description: 'What it does, or why it failed.',
      priority: 1,
    },
    AGE_COLUMN,
  ],
});

export type MLModelSpec = Parsed<z.output<typeof spec>>;
export type MLModelStatus = Parsed<z.output<typeof status>>;
