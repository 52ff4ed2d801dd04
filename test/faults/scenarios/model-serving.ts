import type { ModelServingStatus } from '../../../constructs/index.ts';
import { modelServing } from '../../../operator/kinds/model-serving/index.ts';
import type { Step } from '../../../testing/faults/scenario.ts';
import { apply, deleted, reports, scenarioOf } from './steps.ts';

const { type } = modelServing;

/** One replica on one GPU, whose weights a Job fetches. */
export const spec = {
  model: { uri: 's3://models/first/' },
  storage: { size: '10Gi', accessMode: 'ReadWriteMany' },
  engine: { type: 'vllm' },
  resources: { gpu: 1, cpu: '1', memory: '1Gi' },
  drain: { timeoutSeconds: 1 },
  replicas: 1,
};

const step = (
  name: string,
  change: object,
  phase: string,
  holds: (status: ModelServingStatus) => boolean = () => true,
): Step => ({
  name,
  act: apply(type, { ...spec, ...change }),
  reached: reports<ModelServingStatus>(type, (status) => status.phase === phase && holds(status)),
});

const ready =
  (count: number) =>
  ({ readyReplicas }: ModelServingStatus): boolean =>
    readyReplicas === count;

/** Each step keeps what the one before changed. */
const scaled = { replicas: 2 };
const tuned = { ...scaled, engine: { type: 'vllm', args: ['--max-model-len=4096'] } };
const second = { ...tuned, model: { uri: 's3://models/second/' } };

/** Create, scale, change arguments, change the model, retire, bring back, delete. */
export const modelServingScenario = scenarioOf(
  type,
  [
    step('create', {}, 'Running', ready(1)),
    step('scale', scaled, 'Running', ready(2)),
    step('arguments', tuned, 'Running', ready(2)),
    step('new model', second, 'Running', ({ weights }) => weights?.uri === second.model.uri),
    step('retire', { ...second, retired: true }, 'Retired'),
    step('bring back', second, 'Running', ready(2)),
    deleted(type),
  ],
  // Told where a pass falls between two moments of a drain that lasts a second.
  ['withdrawnAt', 'requestsInFlight'].map((field) => `ModelServing/scenario.status.drain.${field}`),
);
