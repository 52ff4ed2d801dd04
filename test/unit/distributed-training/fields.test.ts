import { describe, expect, test } from 'vitest';
import { distributedTraining } from '../../../constructs/distributed-training/kind.ts';
import type { DistributedTrainingSpecInput } from '../../../constructs/distributed-training/spec.ts';
import { minimal, mpi, mxnet, tensorflow } from '../../examples/distributed-training/example.ts';
import { leavesOf, variantsOf } from '../../support/spec-variants.ts';
import { render } from './support/render.ts';

const schema = distributedTraining.schema().properties?.['spec'] ?? {};

/** The fields that change no manifest of a static host, and why. */
const OPERATOR_ONLY: Readonly<Record<string, string>> = {
  'spec.retry.backoffSeconds': 'the pause between attempts of a Job is its own',
  'spec.retry.maxBackoffSeconds': 'the pause between attempts of a Job is its own',
  'spec.ttlSecondsAfterFinished': 'a Job that deleted itself would be made, and run, again',
  'spec.objective.metric': 'nobody reads it',
  'spec.objective.goal': 'nobody reads it',
  'spec.objective.take': 'nobody reads it',
};

const saving = (over: object) => ({ ...minimal, checkpoint: { uri: 's3://ml-checkpoints', ...over } });
const elastic = (minReplicas: number, maxReplicas: number) => ({
  ...minimal,
  replicas: 3,
  elastic: { minReplicas, maxReplicas },
});

/** Fields that can't change alone. */
const PAIRS: Readonly<Record<string, readonly [object, object]>> = {
  'spec.elastic.minReplicas': [elastic(1, 4), elastic(2, 4)],
  'spec.elastic.maxReplicas': [elastic(1, 4), elastic(1, 5)],
  'spec.tensorflow.chief': [
    { ...tensorflow, tensorflow: { chief: true } },
    { ...tensorflow, tensorflow: { chief: false } },
  ],
  'spec.tensorflow.parameterServers': [tensorflow, { ...tensorflow, tensorflow: { parameterServers: 2 } }],
  'spec.mxnet.servers': [mxnet, { ...mxnet, mxnet: { servers: 2 } }],
  'spec.mpi.sshSecretName': [
    { ...mpi, mpi: { sshSecretName: 'a' } },
    { ...mpi, mpi: { sshSecretName: 'b' } },
  ],
  'spec.checkpoint.credentials.secretName': [
    saving({ credentials: { secretName: 'a' } }),
    saving({ credentials: { secretName: 'b' } }),
  ],
  'spec.checkpoint.graceSeconds': [saving({ graceSeconds: 1 }), saving({ graceSeconds: 2 })],
  'spec.gang.scheduler': [
    { ...tensorflow, queue: 'a', gang: { scheduler: 'kueue' } },
    { ...tensorflow, queue: 'a', gang: { scheduler: 'volcano' } },
  ],
  'spec.security.level': [minimal, { ...minimal, security: { level: 'baseline' } }],
};

const VALUES = {
  '.checkpoint.uri': ['s3://ml-checkpoints/a', 's3://ml-checkpoints/b'],
  '.resources.gpuProduct': ['NVIDIA-L4', 'NVIDIA-A100'],
  '.resources.gpuResource': ['nvidia.com/gpu', 'amd.com/gpu'],
} as const;

/** A spec on which every field has its effect. */
const base = { ...minimal, resources: { gpu: 1 } };

const reaching = (port: number): object => ({ ...base, egress: [{ cidr: '10.0.0.0/8', ports: [port] }] });
const reachingHost = (host: string): object => ({ ...base, egress: [{ hosts: [host] }] });
const EGRESS: typeof PAIRS = {
  'spec.egress[].ports[]': [reaching(443), reaching(444)],
  'spec.egress[].hosts[]': [reachingHost('a.example.com'), reachingHost('*.example.com')],
};

/** Two valid specs that differ in the one field. */
const pairOf = (leaf: string): readonly [object, object] =>
  EGRESS[leaf] ?? PAIRS[leaf] ?? variantsOf(base, schema, leaf, VALUES);

/** Two hosts could differ in the operator's view of a spec alone: the hash of it is left out. */
const rendered = (spec: object): string =>
  JSON.stringify(render(spec as DistributedTrainingSpecInput)).replaceAll(/"trunnion\.dev\/template":"[^"]*"/g, '');

describe('every field of the spec', () => {
  // What a search does with its fields is shown in tuning.test.ts: it does nothing in static hosts.
  const leaves = leavesOf(schema).filter((leaf) => !leaf.startsWith('spec.tuning.'));

  test.each(leaves.filter((leaf) => !(leaf in OPERATOR_ONLY)))('%s changes what is rendered', (leaf) => {
    const [one, other] = pairOf(leaf);
    expect(rendered(one)).not.toBe(rendered(other));
  });

  test('that changes nothing is one that only the operator uses', () => {
    expect(leaves).toEqual(expect.arrayContaining(Object.keys(OPERATOR_ONLY)));
  });
});
