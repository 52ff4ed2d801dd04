import * as fc from 'fast-check';
import { FRAMEWORKS, type Framework } from '../../constructs/distributed-training/frameworks.ts';
import { MAX_NAME_LENGTH } from '../../constructs/distributed-training/limits.ts';
import type { DistributedTrainingSpecInput } from '../../constructs/distributed-training/spec.ts';
import { image, podFields } from './arbitrary-parts.ts';

type Part<Key extends keyof DistributedTrainingSpecInput> = fc.Arbitrary<Pick<DistributedTrainingSpecInput, Key>>;

/** Valid names: DNS labels that begin with a letter, up to the longest. */
export const trainingName: fc.Arbitrary<string> = fc.stringMatching(
  new RegExp(`^[a-z]([-a-z0-9]{0,${MAX_NAME_LENGTH - 2}}[a-z0-9])?$`),
);

const program: Part<'command' | 'args' | 'hyperparameters' | 'procsPerNode'> = fc.record(
  {
    command: fc.constantFrom(['torchrun', 'train.py'], ['mpirun', '-x', 'EPOCHS', 'train']),
    args: fc.constantFrom(['--lr=$(LEARNING_RATE)'], []),
    hyperparameters: fc.subarray(['EPOCHS', 'LEARNING_RATE', '_x']).map((names) => fromNames(names)),
    procsPerNode: fc.integer({ min: 1, max: 64 }),
  },
  { requiredKeys: ['command'] },
);

const fromNames = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, index) => [name, `${index}.5`]));

const resources: Part<'resources'> = fc.record(
  {
    resources: fc.record(
      {
        gpu: fc.integer({ min: 0, max: 64 }),
        gpuResource: fc.constantFrom('nvidia.com/gpu', 'amd.com/gpu'),
        cpu: fc.constantFrom('4', 2, '500m', '0.5'),
        memory: fc.constantFrom('16Gi', '1024Mi', '2e9'),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const checkpoint: Part<'checkpoint'> = fc.record(
  {
    checkpoint: fc.record(
      {
        uri: fc.constantFrom(
          's3://checkpoints/resnet/',
          's3://checkpoints',
          'gs://my_bucket/a/b',
          'pvc://claim/a',
          'pvc://claim',
        ),
        credentials: fc.constant({ secretName: 'writer' }),
        graceSeconds: fc.integer({ min: 1, max: 3600 }),
      },
      { requiredKeys: ['uri'] },
    ),
  },
  { requiredKeys: [] },
);

const course: Part<'retry' | 'suspend' | 'activeDeadlineSeconds' | 'ttlSecondsAfterFinished' | 'spot'> = fc.record(
  {
    retry: fc.record(
      { limit: fc.integer({ min: 0, max: 100 }), backoffSeconds: fc.integer({ min: 1, max: 600 }) },
      { requiredKeys: [] },
    ),
    suspend: fc.boolean(),
    activeDeadlineSeconds: fc.integer({ min: 3600, max: 31_536_000 }),
    ttlSecondsAfterFinished: fc.integer({ min: 3600, max: 31_536_000 }),
    spot: fc.boolean(),
  },
  { requiredKeys: [] },
);

const scheduling: Part<'queue' | 'gang'> = fc.constantFrom<Pick<DistributedTrainingSpecInput, 'queue' | 'gang'>>(
  {},
  { queue: 'team-a' },
  { queue: 'team-a', gang: { scheduler: 'kueue' } },
  { gang: { scheduler: 'volcano' } },
  { queue: 'team-a', gang: { scheduler: 'volcano' } },
);

const replicas = fc.constantFrom(1, 2, 3, 8);

const OWN: Readonly<Record<Framework, fc.Arbitrary<Partial<DistributedTrainingSpecInput>>>> = {
  pytorch: fc.oneof(
    fc.record({ replicas }),
    fc.record({
      replicas: fc.integer({ min: 2, max: 4 }),
      elastic: fc.record({ minReplicas: fc.constantFrom(1, 2), maxReplicas: fc.integer({ min: 4, max: 1000 }) }),
    }),
  ),
  tensorflow: fc.record(
    {
      replicas,
      tensorflow: fc.record(
        { chief: fc.boolean(), parameterServers: fc.integer({ min: 0, max: 3 }) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ),
  mxnet: fc.record(
    { replicas, mxnet: fc.record({ servers: fc.integer({ min: 0, max: 3 }) }, { requiredKeys: [] }) },
    { requiredKeys: [] },
  ),
  jax: fc.record({ replicas }, { requiredKeys: [] }),
  // A static host makes no keys.
  mpi: fc.record({ replicas, mpi: fc.constant({ sshSecretName: 'key' }) }),
};

const framework = fc.constantFrom(...FRAMEWORKS).chain((name) => OWN[name].map((own) => ({ framework: name, ...own })));

/** Valid specs of a DistributedTraining, for static hosts and the operator alike. */
export const distributedTrainingArbitrary: fc.Arbitrary<DistributedTrainingSpecInput> = fc
  .tuple(framework, fc.record({ image }), program, resources, checkpoint, course, scheduling, podFields('trainer'))
  .map((parts) => Object.assign({}, ...parts) as DistributedTrainingSpecInput)
  // Volcano is a scheduler of its own.
  .filter(({ gang, podTemplate }) => gang?.scheduler !== 'volcano' || podTemplate?.spec?.schedulerName === undefined);
