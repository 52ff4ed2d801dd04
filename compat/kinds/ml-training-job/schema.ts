import * as z from 'zod';
import { distributedTrainingSpec } from '../../../constructs/distributed-training/spec.ts';
import { distributedTrainingStatus, MOST_REPORTED } from '../../../constructs/distributed-training/status.ts';
import { time } from '../../../constructs/parts/objects/schema.ts';
import { AGE_COLUMN, PHASE_COLUMN } from '../../../constructs/schema/columns.ts';
import { defineSchema, SHIPPED } from '../../../constructs/schema/kind.ts';
import { withRules } from '../../../constructs/schema/rules.ts';
import type { Parsed } from '../../../constructs/schema/types.ts';
import { sameGpuFields, samePodFields } from '../same-fields.schema.ts';
import { amount, compatStatus, openSpec, phase, text } from '../schema.ts';
import { specRules } from './rules.ts';

/** The phases that users of MLTrainingJob know. */
export const PHASES = ['Pending', 'Running', 'Completed', 'Failed'] as const;

const parameter = openSpec({
  type: text.describe('What it is: float, int, categorical.').optional(),
  min: z.number().describe('The least value.').optional(),
  max: z.number().describe('The greatest value.').optional(),
  values: z
    .array(z.unknown().meta({ 'x-kubernetes-preserve-unknown-fields': true }).describe('A value.'))
    .max(1024)
    .describe('The values to choose from.')
    .meta({ 'x-kubernetes-list-type': 'atomic' })
    .optional(),
});

const { elastic, queue, gang, spot } = distributedTrainingSpec.shape;

const fields = openSpec({
  framework: z.enum(['pytorch', 'tensorflow', 'mxnet']).describe('What the program is written in.').optional(),
  image: text.describe('The image of all pods.').optional(),
  replicas: z.int().min(1).max(100).describe('Number of pods in all: the master and the workers.').default(1),
  resources: openSpec({
    gpu: z.int().min(0).describe('GPUs of one pod.').optional(),
    memory: amount.describe('Memory of one pod.').optional(),
    cpu: amount.describe('CPUs of one pod.').optional(),
    ...sameGpuFields,
  })
    .describe('What one pod gets.')
    .optional(),
  hyperparameters: z
    .record(z.string(), text.describe('The value.'))
    .describe('Variables of all pods, by name.')
    .meta({ maxProperties: 1024 })
    .optional(),
  checkpointPath: text.describe('Where checkpoints are kept.').optional(),
  autoTuning: openSpec({
    enabled: z.boolean().describe('Whether hyperparameters are searched for.').default(false),
    algorithm: text.describe('How they are searched for: bayesian, random, grid.').optional(),
    maxTrials: z.int().min(1).describe('The most trials.').optional(),
    objective: text.describe('The metric that is made as good as can be.').optional(),
    parameters: z
      .record(z.string(), parameter.describe('A parameter.'))
      .describe('The parameters, by name.')
      .meta({ maxProperties: 1024 })
      .optional(),
  })
    .describe('Searches for good hyperparameters.')
    .optional(),
  elastic: elastic
    .unwrap()
    .describe(
      'The bounds between which replicas may change, and pods come and go, while it runs; by torchrun, for pytorch only. Ranks without a node stay Pending, and join once there is one.',
    )
    .optional(),
  queue,
  gang,
  spot: spot.unwrap().describe(`${spot.description} Default: false.`).optional(),
  ...samePodFields,
});

const spec = withRules(fields, ...specRules);

const worker = z.strictObject({
  name: text.describe('The name that its users know it by: NAME-master, NAME-worker-0.'),
  role: text.describe('Its role: master or worker.'),
  pod: text.describe('Its pod.').optional(),
  phase: text.describe('The phase of its pod.'),
  exitCode: z.int().describe('The exit code, once it has ended.').optional(),
});

const status = compatStatus(
  {
    phase: phase(PHASES),
    startTime: time.describe('When it first started.').optional(),
    completionTime: time.describe('When it ended, well or not.').optional(),
    workerStatuses: z
      .array(worker.describe('A pod.'))
      .max(MOST_REPORTED)
      .describe('The pods, failed and slow ones first; 32 of them at the most.')
      .meta({ 'x-kubernetes-list-type': 'atomic' })
      .optional(),
  },
  distributedTrainingStatus,
);

/** The kind MLTrainingJob. */
export const mlTrainingJob = defineSchema({
  ...SHIPPED,
  group: 'ml.collabnix.io',
  kind: 'MLTrainingJob',
  plural: 'mltrainingjobs',
  shortNames: ['mltj'],
  description: 'An MLTrainingJob trains a model on many pods. It runs as a DistributedTraining.',
  spec,
  status,
  rules: [],
  staticRules: [],
  columns: [
    { name: 'Framework', type: 'string', jsonPath: '.spec.framework', description: 'What it is written in.' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', description: 'Pods in all.' },
    PHASE_COLUMN,
    AGE_COLUMN,
  ],
});

export type MLTrainingJobSpec = Parsed<z.output<typeof spec>>;
export type MLTrainingJobStatus = Parsed<z.output<typeof status>>;
