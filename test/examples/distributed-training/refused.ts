import { FRAMEWORKS, reservedEnv } from '../../../constructs/distributed-training/frameworks.ts';
import { minimal, mpi, type RefusedExample } from './example.ts';
import { searches } from './refused.searches.ts';

const uris: readonly RefusedExample[] = (
  [
    ['https://example.com/a', [['spec.checkpoint.uri', 'must begin with one of s3://, gs://, pvc://']]],
    ['s3://A/b', [['spec.checkpoint.uri', 's3://bucket/prefix']]],
    ['gs://a/../b', [['spec.checkpoint.uri', 'gs://bucket/prefix']]],
    ['pvc://', [['spec.checkpoint.uri', 'pvc://claim[/path]']]],
    ['s3://ml-checkpoints/$(HOME)', [['spec.checkpoint.uri', 'since programs and shells read it']]],
  ] as const
).map(([uri, problems]) => ({
  title: `checkpoints at ${uri}`,
  spec: { ...minimal, checkpoint: { uri } },
  problems,
}));

/** The last of the variables of each framework, and one of all of them, wherever they may be set. */
const variables: readonly RefusedExample[] = FRAMEWORKS.flatMap((framework) =>
  ['RANK', reservedEnv(framework).at(-1) ?? ''].flatMap((name) => {
    const spec = { ...minimal, framework, command: ['run'] };
    const message = `with ${framework} they follow from the rest of the spec`;
    return [
      {
        title: `${name} in env of ${framework}`,
        spec: { ...spec, env: [{ name, value: 'x' }] },
        problems: [['spec.env', message]],
      },
      {
        title: `${name} among the hyperparameters of ${framework}`,
        spec: { ...spec, hyperparameters: { [name]: 'x' } },
        problems: [['spec.hyperparameters', message]],
      },
      {
        title: `${name} in the pod template of ${framework}`,
        spec: { ...spec, podTemplate: { spec: { containers: [{ name: 'trainer', env: [{ name, value: 'x' }] }] } } },
        problems: [['spec.podTemplate.spec.containers', message]],
      },
    ] as const;
  }),
);

const frameworks: readonly RefusedExample[] = [
  {
    title: 'an unknown framework',
    spec: { ...minimal, framework: 'caffe' },
    problems: [['spec.framework', 'supported values: "pytorch", "tensorflow", "mxnet", "jax", "mpi"']],
  },
  {
    title: 'what is for other frameworks',
    spec: {
      ...minimal,
      framework: 'jax',
      elastic: { minReplicas: 1, maxReplicas: 2 },
      tensorflow: {},
      mxnet: {},
      mpi: {},
    },
    problems: [
      ['spec.elastic', 'is for framework pytorch only'],
      ['spec.tensorflow', 'is for framework tensorflow only'],
      ['spec.mxnet', 'is for framework mxnet only'],
      ['spec.mpi', 'is for framework mpi only'],
    ],
  },
  {
    title: 'MPI without a command',
    spec: { ...minimal, framework: 'mpi' },
    problems: [['spec.command', 'is required with mpi']],
  },
];

const numbers: readonly RefusedExample[] = [
  {
    title: 'numbers out of bounds, all at once',
    spec: { ...minimal, replicas: 0, procsPerNode: 65, retry: { limit: 101, backoffSeconds: 0 } },
    problems: [
      ['spec.replicas', 'should be greater than or equal to 1'],
      ['spec.procsPerNode', 'should be less than or equal to 64'],
      ['spec.retry.limit', 'should be less than or equal to 100'],
      ['spec.retry.backoffSeconds', 'should be greater than or equal to 1'],
    ],
  },
  {
    title: 'too many workers',
    spec: { ...minimal, replicas: 1001 },
    problems: [['spec.replicas', 'should be less than or equal to 1000']],
  },
  {
    title: 'a pause that is longer than the longest',
    spec: { ...minimal, retry: { backoffSeconds: 100, maxBackoffSeconds: 10 } },
    problems: [['spec.retry.backoffSeconds', 'must not be greater than maxBackoffSeconds']],
  },
  {
    title: 'bounds in the wrong order, and replicas beyond them',
    spec: { ...minimal, replicas: 9, elastic: { minReplicas: 4, maxReplicas: 2 } },
    problems: [
      ['spec.replicas', 'must be from elastic.minReplicas to elastic.maxReplicas'],
      ['spec.elastic.minReplicas', 'must not be greater than maxReplicas'],
    ],
  },
  {
    title: 'a GPU product without a GPU',
    spec: { ...minimal, resources: { gpuProduct: 'NVIDIA-L4' } },
    problems: [['spec.resources.gpuProduct', 'set resources.gpu to at least 1']],
  },
];

const names: readonly RefusedExample[] = [
  {
    title: 'a name of 44 characters',
    name: 'a'.repeat(44),
    spec: minimal,
    problems: [['metadata.name', 'must have at most 43 characters']],
  },
  {
    title: 'a name with a dot',
    name: 'a.b',
    spec: minimal,
    problems: [['metadata.name', 'must be lower-case letters, digits and "-"']],
  },
  {
    title: 'hyperparameters whose names are none',
    spec: { ...minimal, hyperparameters: { 'learning-rate': '1' } },
    problems: [['spec.hyperparameters', 'each key must be the name of a variable']],
  },
  {
    title: 'hyperparameters that Trunnion sets',
    spec: { ...minimal, hyperparameters: { HOME: '/', TRUNNION_ATTEMPT: '1' } },
    problems: [['spec.hyperparameters', 'no name that begins with TRUNNION_']],
  },
  {
    title: 'a variable that is set twice',
    spec: { ...minimal, env: [{ name: 'EPOCHS', value: '1' }], hyperparameters: { EPOCHS: '2' } },
    problems: [['spec.hyperparameters', 'must not set a variable that env sets too']],
  },
];

const pods: readonly RefusedExample[] = [
  {
    title: 'a gang of Kueue without a queue',
    spec: { ...minimal, gang: { scheduler: 'kueue' } },
    problems: [['spec.queue', 'is required by gang.scheduler kueue']],
  },
  {
    title: 'two schedulers',
    spec: { ...minimal, gang: { scheduler: 'volcano' }, podTemplate: { spec: { schedulerName: 'mine' } } },
    problems: [['spec.podTemplate.spec.schedulerName', 'must be left out with gang.scheduler volcano']],
  },
  {
    title: 'less time to stop than to save a checkpoint',
    spec: {
      ...minimal,
      checkpoint: { uri: 's3://ml-checkpoints', graceSeconds: 120 },
      podTemplate: { spec: { terminationGracePeriodSeconds: 60 } },
    },
    problems: [['spec.podTemplate.spec.terminationGracePeriodSeconds', 'must be at least checkpoint.graceSeconds']],
  },
  {
    title: 'a volume that has the name of one of ours',
    spec: { ...minimal, podTemplate: { spec: { volumes: [{ name: 'checkpoint', emptyDir: {} }] } } },
    problems: [['spec.podTemplate.spec.volumes', 'must not have the names checkpoint']],
  },
  {
    title: 'a container to wait without an image, where no launcher has one',
    spec: { ...minimal, podTemplate: { spec: { initContainers: [{ name: 'wait' }] } } },
    problems: [['spec.podTemplate.spec.initContainers', 'each must have an image, but for wait with mpi']],
  },
  {
    title: 'a container without an image',
    spec: { ...mpi, podTemplate: { spec: { containers: [{ name: 'side' }] } } },
    problems: [['spec.podTemplate.spec.containers', 'each must have an image, but for trainer']],
  },
];

/** Resources that must be refused, by the API server and by `parseSpec` in the same words. */
export const refused: readonly RefusedExample[] = [
  { title: 'an empty spec', spec: {}, problems: ['framework', 'image'].map((field) => [`spec.${field}`, 'Required']) },
  ...uris,
  ...variables,
  ...frameworks,
  ...numbers,
  ...names,
  ...pods,
  ...searches,
];
