import { FRAMEWORKS, reservedEnv } from '../../../constructs/distributed-training/frameworks.ts';
import { minimal, mpi, mxnet, resnet, search, tensorflow, type AcceptedExample } from './example.ts';

const uris: readonly AcceptedExample[] = [
  's3://ml-checkpoints',
  's3://ml-checkpoints/a/b/',
  'gs://my_checkpoints/a',
  'pvc://checkpoints',
  'pvc://checkpoints/team/resnet',
].map((uri) => ({ title: `checkpoints at ${uri}`, spec: { ...minimal, checkpoint: { uri } } }));

/** What one framework sets, another leaves to its user. */
const foreign: readonly AcceptedExample[] = FRAMEWORKS.flatMap((framework) => {
  const own = new Set(reservedEnv(framework));
  const name = FRAMEWORKS.flatMap(reservedEnv).find((other) => !own.has(other));
  if (name === undefined) return [];
  const title = `${name}, which ${framework} does not use`;
  return [{ title, spec: { ...minimal, framework, command: ['run'], env: [{ name, value: 'x' }] } }];
});

const searching = (parameters: object, over: object = {}) =>
  ({ ...search, tuning: { ...search.tuning, ...over, parameters } }) as typeof search;

const searches: readonly AcceptedExample[] = [
  { title: "the contract's example of a search", spec: search },
  { title: 'a search with a name of 39 characters', name: `a${'b'.repeat(38)}`, spec: search },
  { title: 'a result without a search', spec: { ...minimal, objective: { metric: 'val/loss', goal: 'minimize' } } },
  {
    title: 'negative ranges, on both scales',
    spec: searching({ a: { type: 'float', min: -2, max: -1, scale: 'log' } }),
  },
  { title: 'numbers with a fraction as values', spec: searching({ a: { type: 'float', values: ['0.1', 1, '1e-3'] } }) },
  { title: 'texts as values', spec: searching({ optimizer: { type: 'categorical', values: ['adam', 'sgd', 3] } }) },
  {
    title: 'a grid of steps, values and integers',
    spec: searching(
      {
        a: { type: 'float', min: 0, max: 1, steps: 5 },
        b: { type: 'int', min: 1, max: 4 },
        c: { type: 'categorical', values: ['x', 'y'] },
      },
      { algorithm: 'grid' },
    ),
  },
];

/** Resources that must be accepted, by the API server and by `parseSpec`. */
export const accepted: readonly AcceptedExample[] = [
  { title: 'the smallest useful spec', spec: minimal },
  { title: "the contract's example", spec: resnet },
  ...searches,
  { title: 'a name of 43 characters', name: `a${'b'.repeat(42)}`, spec: minimal },
  { title: 'a thousand workers', spec: { ...minimal, replicas: 1000 } },
  { title: 'parameter servers', spec: { ...tensorflow, tensorflow: { parameterServers: 2 } } },
  { title: 'a first worker as the chief', spec: { ...tensorflow, tensorflow: { chief: false } } },
  { title: 'MXNet without servers', spec: { ...mxnet, mxnet: { servers: 0 } } },
  { title: 'servers of MXNet', spec: { ...mxnet, mxnet: { servers: 2 } } },
  { title: 'MPI without a key, which the operator makes', spec: mpi },
  { title: 'MPI with a key', spec: { ...mpi, mpi: { sshSecretName: 'key' } } },
  { title: 'JAX', spec: { ...minimal, framework: 'jax', replicas: 4 } },
  { title: 'no retries', spec: { ...minimal, retry: { limit: 0 } } },
  {
    title: 'spot nodes',
    spec: { ...minimal, spot: true, checkpoint: { uri: 's3://ml-checkpoints', graceSeconds: 120 } },
  },
  { title: 'a gang of Kueue', spec: { ...minimal, queue: 'team-a', gang: { scheduler: 'kueue' } } },
  { title: 'a gang of Volcano', spec: { ...minimal, gang: { scheduler: 'volcano' } } },
  { title: 'as many replicas as an elastic training may have', spec: { ...resnet, replicas: 8 } },
  { title: 'a suspended training', spec: { ...minimal, suspend: true } },
  ...uris,
  ...foreign,
  {
    title: 'arguments of torchrun that nothing else sets',
    spec: {
      ...minimal,
      env: [{ name: 'PET_MAX_RESTARTS', value: '3' }],
      hyperparameters: { PET_MONITOR_INTERVAL: '5' },
    },
  },
  {
    title: 'what every kind has',
    spec: {
      ...minimal,
      env: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }],
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: { 'example.com/pool': 'gpu' },
      tolerations: [{ operator: 'Exists' }],
      priorityClassName: 'high',
      runtimeClassName: 'nvidia',
      serviceAccount: {
        annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/reader' },
        identity: 'eks-pod-identity',
      },
      security: { level: 'baseline' },
      egress: [
        { cidr: '10.0.0.0/8', ports: [443] },
        { namespace: 'telemetry', podLabels: { app: 'a' } },
        { podLabels: { b: 'c' } },
        { hosts: ['pypi.org', '*.pythonhosted.org'], ports: [443] },
      ],
      podTemplate: {
        metadata: { labels: { team: 'a' } },
        spec: {
          terminationGracePeriodSeconds: 60,
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data', readOnly: true } }],
          containers: [{ name: 'trainer', volumeMounts: [{ name: 'data', mountPath: '/data', readOnly: true }] }],
        },
      },
    },
  },
];
