import * as z from 'zod';
import { modelServingSpec } from '../../../constructs/model-serving/spec.ts';
import { modelServingStatus } from '../../../constructs/model-serving/status.ts';
import { uriRules } from '../../../constructs/model-serving/uri.rules.ts';
import { count } from '../../../constructs/parts/objects/schema.ts';
import { AGE_COLUMN, PHASE_COLUMN } from '../../../constructs/schema/columns.ts';
import { defineSchema, SHIPPED } from '../../../constructs/schema/kind.ts';
import { withRules } from '../../../constructs/schema/rules.ts';
import type { Parsed } from '../../../constructs/schema/types.ts';
import { downloaded } from '../download.schema.ts';
import { sameGpuFields, samePodFields } from '../same-fields.schema.ts';
import { amount, compatStatus, openSpec, phase, text } from '../schema.ts';
import { modelEngineRules, modelRules } from './rules.ts';

/** What both kinds are of. */
const GROUP = 'llm.example.com';

/** The phases of LLMDeployment: its authors had none, so they are ours. */
export const PHASES = ['Pending', 'Downloading', 'Deploying', 'Running', 'Updating', 'Draining', 'Failed'] as const;

const { expose, autoscaling, engine: anyEngine } = modelServingSpec.shape;
const { type, command, args, env, ipFamily, healthPath } = anyEngine.shape;

/** As in a ModelServing, but for the image and the port, which an LLMModel and an LLMDeployment have by themselves. */
const engine = withRules(
  z.strictObject({
    type: type.describe('The engine in the image, which decides its arguments and its metrics.').default('custom'),
    command,
    args,
    env,
    ipFamily,
    healthPath,
  }),
  ...modelEngineRules,
);

const model = {
  modelName: text.describe('The name that clients ask for.').optional(),
  image: text
    .describe(
      'The image that serves the model, which is in it where there is no modelSource. Default, for an engine.type other than custom: a release of the engine, pinned.',
    )
    .optional(),
  resources: openSpec({
    cpu: amount.describe('CPUs of one replica.').optional(),
    memory: amount.describe('Memory of one replica.').optional(),
    gpu: z.int().min(0).describe('GPUs of one replica, all of them of one node.').optional(),
    ...sameGpuFields,
  })
    .describe('What one replica gets.')
    .optional(),
  modelSource: withRules(text, ...uriRules)
    .describe(
      'Where the weights come from: pvc://CLAIM/PATH, huggingface://OWNER/NAME, s3://BUCKET/PREFIX or any other of model.uri. The engine finds them below MODEL_PATH. Default: the model is in the image.',
    )
    .optional(),
  ...downloaded,
  engine: engine.describe('What runs in the image. Default: a server that gets nothing but MODEL_NAME.').optional(),
};

const modelSpec = withRules(openSpec(model), ...modelRules);

const spec = openSpec({
  modelRef: text.describe('Name of an LLMModel of the same namespace.').optional(),
  replicas: z.int().min(0).describe('Number of replicas, where it is not scaled by its load.').default(1),
  port: z.int().min(1).max(65_535).describe('The port that the image listens on, as does the Service.').default(8080),
  autoscaling: autoscaling
    .unwrap()
    .describe(
      'Scales by itself, by the latency of answers or by what the engine of the LLMModel tells besides; replicas then counts no more.',
    )
    .optional(),
  expose,
  ...samePodFields,
});

const status = compatStatus(
  {
    phase: phase(PHASES),
    endpoint: text.describe('Where clients ask, inside the cluster.').optional(),
    readyReplicas: count.describe('Number of pods that take requests.').optional(),
    model: z
      .strictObject({ name: text.describe('The LLMModel.'), ...model })
      .describe('What modelRef leads to: as last seen, where it is gone.')
      .optional(),
  },
  modelServingStatus,
);

/** The kind LLMModel: it only describes, and is run by no one. */
export const llmModel = defineSchema({
  ...SHIPPED,
  group: GROUP,
  kind: 'LLMModel',
  plural: 'llmmodels',
  shortNames: [],
  description: 'An LLMModel describes a model and the image that serves it; LLMDeployments refer to it.',
  spec: modelSpec,
  status: z.strictObject({}),
  rules: [],
  staticRules: [],
  columns: [
    { name: 'Model', type: 'string', jsonPath: '.spec.modelName', description: 'The model.' },
    { name: 'Image', type: 'string', jsonPath: '.spec.image', description: 'The image that serves it.' },
    AGE_COLUMN,
  ],
});

/** The kind LLMDeployment. */
export const llmDeployment = defineSchema({
  ...SHIPPED,
  group: GROUP,
  kind: 'LLMDeployment',
  plural: 'llmdeployments',
  shortNames: [],
  description: 'An LLMDeployment serves the LLMModel that it refers to. It runs as a ModelServing.',
  spec,
  status,
  rules: [],
  staticRules: [],
  scalable: true,
  columns: [
    { name: 'Model', type: 'string', jsonPath: '.spec.modelRef', description: 'The LLMModel.' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', description: 'Replicas that are wanted.' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas', description: 'Pods that take requests.' },
    PHASE_COLUMN,
    AGE_COLUMN,
  ],
});

export type LLMModelSpec = Parsed<z.output<typeof modelSpec>>;
export type LLMDeploymentSpec = Parsed<z.output<typeof spec>>;
export type LLMDeploymentStatus = Parsed<z.output<typeof status>>;
