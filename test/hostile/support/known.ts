import { servingSpec } from '../../cluster/support/serving.ts';
import { simulated } from '../../cluster/support/training.ts';
import { searchSpec } from '../../cluster/support/search.ts';

/** A resource by which an operator was once stopped, slowed or filled: always among those of a campaign. */
export interface Known {
  readonly name: string;
  readonly kind: 'ModelServing' | 'DistributedTraining';
  /** The spec, and smaller ones for an API server that refuses it: the first that is accepted counts. */
  readonly specs: readonly object[];
}

/** How a program that was tried ends in the log: see {@link HOSTILE_LOGS}. */
const METRIC = 'loss';

const { podTemplate: _, ...plainSearch } = searchSpec;

/** A search whose trials are done at once. */
const search = (parameters: object, more: object = {}) => ({
  ...plainSearch,
  resources: { gpu: 0, cpu: '10m', memory: '16Mi' },
  retry: { limit: 0 },
  podTemplate: { metadata: { annotations: simulated({ 'delay-seconds': '0', ...more }) } },
  tuning: {
    maxTrials: 12,
    parallelTrials: 2,
    maxFailedTrials: 12,
    objective: { metric: METRIC, goal: 'minimize', take: 'best' },
    parameters,
  },
});

const RATE = { learningRate: { type: 'float', min: 0.0001, max: 0.1, scale: 'log' } };

const serving = {
  ...servingSpec,
  model: { uri: 'pvc://weights/llama' },
  storage: undefined,
  resources: { gpu: 0, cpu: '10m', memory: '16Mi' },
};

/** Pods of a service that is being retired: each is asked how many requests it still has. */
const draining = (replicas: number, port: number) => ({
  ...serving,
  replicas,
  engine: { type: 'vllm', port },
  drain: { timeoutSeconds: 3600 },
});

/** So many Secrets, named by one resource that runs nothing. */
function referring(containers: number): object {
  const env = (prefix: string) =>
    Array.from({ length: 64 }, (__, i) => ({
      name: `K${i}`,
      valueFrom: { secretKeyRef: { name: `${prefix}-${i}`, key: 'k', optional: true } },
    }));
  const beside = Array.from({ length: containers }, (__, i) => ({
    name: `c${i}`,
    image: 'registry.example.com/c:1',
    env: env(`c${i}`),
  }));
  return {
    ...serving,
    replicas: 0,
    env: env('all'),
    engine: { type: 'vllm', env: env('engine') },
    podTemplate: {
      spec: {
        containers: beside.slice(0, 8),
        initContainers: beside.slice(8),
      },
    },
  };
}

/** So many services are retired with this many pods each, and so many resources name Secrets. */
export const DRAINING = { pods: 90, name: 'known-drain' } as const;
const REFERRING = 10;

/** @param port - that the metrics of the draining pods are asked for on */
export const knownResources = (port: number): readonly Known[] => [
  {
    name: 'known-narrow-log',
    kind: 'DistributedTraining',
    specs: [
      search({ emaDecay: { type: 'float', min: 0.9999999, max: 0.99999999, scale: 'log' } }, { message: 'loss=0.5' }),
    ],
  },
  {
    name: 'known-two-values',
    kind: 'DistributedTraining',
    specs: [search({ one: { type: 'float', min: 1, max: 1 + Number.EPSILON } }, { message: 'loss=0.5' })],
  },
  {
    name: 'known-wide',
    kind: 'DistributedTraining',
    specs: [
      search(
        { a: { type: 'float', min: -1.7976931348623157e308, max: 1.7976931348623157e308 }, ...RATE },
        { message: 'loss=1.7976931348623157e308' },
      ),
    ],
  },
  { name: 'known-results', kind: 'DistributedTraining', specs: [search(RATE, { 'delay-seconds': '600' })] },
  { name: 'known-log', kind: 'DistributedTraining', specs: [search(RATE)] },
  { name: DRAINING.name, kind: 'ModelServing', specs: [draining(DRAINING.pods, port)] },
  ...Array.from({ length: REFERRING }, (__, i): Known => {
    const most = 16 - i;
    return {
      name: `known-secrets-${i}`,
      kind: 'ModelServing',
      specs: [most, 4, 2, 1, 0].map((containers) => referring(containers)),
    };
  }),
];

/** What trials report one after the other: a value that no other can be reckoned with. */
export const EXTREME_RESULTS = ['loss=0.5', 'loss=0.4', 'loss=1.7976931348623157e+308', 'loss=0.3', 'loss=-0'] as const;

const MILLION = 1_000_000;

/** What programs print: lines, of which each took quadratic time or as much memory once, or something like it. */
export const HOSTILE_LOGS: readonly (() => string)[] = [
  () => `${METRIC}=${'1'.repeat(MILLION)}x\n`,
  () => `${METRIC}=${'1.'.repeat(MILLION / 2)}\n`,
  () => `${METRIC}${' '.repeat(MILLION)}x\n`,
  () => `{"${METRIC}": ${'['.repeat(MILLION)}\n`,
  () => `${`{"${METRIC}":`.repeat(50_000)}1${'}'.repeat(50_000)}\n`,
  () => `${`${METRIC}=1e400 ${METRIC}=nan `.repeat(2_000)}\n`.repeat(20),
  () => `${METRIC}=0.5\u001b[2J\u001b]0;owned\u0007\u202e\u0000\n`.repeat(5_000),
  () => `${METRIC}=`.repeat(MILLION / 5),
  () => 'no end of words '.repeat(MILLION / 4),
];
