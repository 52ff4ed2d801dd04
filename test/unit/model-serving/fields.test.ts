import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { render } from './support/render.ts';
import { scaled, shared, single } from './support/specs.ts';
import { serverPairs } from '../../support/prometheus-access.ts';
import { leavesOf, variantsOf } from '../../support/spec-variants.ts';

const schema = modelServing.schema().properties?.['spec'] ?? {};

/** The fields that change no manifest, and why. */
const OPERATOR_ONLY: Readonly<Record<string, string>> = {
  'spec.retired': 'the operator drains first, and then renders another lifecycle',
  'spec.successor': 'it is told to users in a condition',
};

const { replicas: _, ...unscaled } = shared;
const on = (type: 'vllm' | 'custom', engine: object) => ({
  ...shared,
  engine: { type, ...(type === 'custom' && { image: 'serve:1' }), ...engine },
});
const split = (tensor: number, pipeline: number, data = 1, expert = false) => ({
  ...shared,
  resources: { gpu: 4 },
  parallelism: { tensor, pipeline, data, expert },
});
const placed = (topology: object) => ({ ...shared, nodes: 2, topology });
const of = (model: object) => ({ ...shared, model: { ...shared.model, ...model } });
const gguf = (file: string) => ({ ...of({ file }), engine: { type: 'sglang' } });
const drafted = (draft: object) => of({ draft: { uri: 'hf://a/b', method: 'eagle3', tokens: 3, ...draft } });
const stored = (storage: object) => ({ ...shared, storage: { ...shared.storage, size: '40Gi', ...storage } });
const aiming = (change: object) => ({
  ...unscaled,
  resources: { gpu: 1, cpu: 1 },
  autoscaling: { ...scaled.autoscaling, maxReplicas: 8, targets: { queueDepth: 4 }, ...change },
});

/** Fields that can't change alone. */
const reaching = (port: number): object => ({ ...shared, egress: [{ cidr: '10.0.0.0/8', ports: [port] }] });
const reachingHost = (host: string): object => ({ ...shared, egress: [{ hosts: [host] }] });

const PAIRS: Readonly<Record<string, readonly [object, object]>> = {
  'spec.egress[].ports[]': [reaching(443), reaching(444)],
  'spec.egress[].hosts[]': [reachingHost('a.example.com'), reachingHost('*.example.com')],
  'spec.model.uri': [single, { ...single, model: { uri: 's3://models/a' } }],
  'spec.model.files.include[]': [of({ files: { include: ['a'] } }), of({ files: { include: ['b'] } })],
  'spec.model.files.exclude[]': [of({ files: { exclude: ['a'] } }), of({ files: { exclude: ['b'] } })],
  'spec.model.tokenizer.uri': [of({ tokenizer: { uri: 'hf://a/b' } }), of({ tokenizer: { uri: 'hf://a/c' } })],
  'spec.model.draft.uri': [drafted({ uri: 'hf://a/b' }), drafted({ uri: 'hf://a/c' })],
  'spec.model.draft.method': [drafted({ method: 'model' }), drafted({ method: 'eagle' })],
  'spec.model.draft.tokens': [drafted({ tokens: 2 }), drafted({ tokens: 3 })],
  'spec.model.file': [gguf('a.gguf'), gguf('b.gguf')],
  'spec.storage.accessMode': [stored({}), { ...stored({ accessMode: 'ReadWriteOnce' }), replicas: 1, rollout: {} }],
  'spec.storage.size': [stored({}), stored({ size: '50Gi' })],
  'spec.storage.retain': [stored({}), stored({ retain: true })],
  'spec.engine.type': [on('vllm', {}), { ...shared, engine: { type: 'sglang' } }],
  'spec.engine.command[]': [on('custom', { command: ['/a'] }), on('custom', { command: ['/b'] })],
  'spec.engine.port': [on('vllm', { port: 9000 }), on('vllm', { port: 9001 })],
  'spec.engine.ipFamily': [on('vllm', { ipFamily: 'IPv4' }), on('vllm', { ipFamily: 'IPv6' })],
  'spec.engine.healthPath': [on('vllm', { healthPath: '/a' }), on('vllm', { healthPath: '/b' })],
  'spec.parallelism.tensor': [split(4, 1), split(2, 2)],
  'spec.parallelism.pipeline': [split(4, 1), split(1, 4)],
  'spec.parallelism.data': [split(4, 1), split(2, 1, 2)],
  'spec.parallelism.expert': [split(4, 1), split(4, 1, 1, true)],
  'spec.topology.required': [placed({ required: 'a/b' }), placed({ required: 'a/c' })],
  'spec.topology.preferred': [placed({ preferred: 'a/b' }), placed({ preferred: 'a/c' })],
  'spec.replicas': [shared, { ...shared, replicas: 3 }],
  'spec.autoscaling.minReplicas': [aiming({ minReplicas: 1 }), aiming({ minReplicas: 2 })],
  'spec.autoscaling.maxReplicas': [aiming({ maxReplicas: 8 }), aiming({ maxReplicas: 9 })],
  ...Object.fromEntries(
    ['ttftMilliseconds', 'itlMilliseconds', 'queueDepth', 'runningRequests', 'kvCachePercent', 'cpuPercent'].map(
      (target) => [
        `spec.autoscaling.targets.${target}`,
        [aiming({ targets: { [target]: 10 } }), aiming({ targets: { [target]: 11 } })] as const,
      ],
    ),
  ),
  ...Object.fromEntries(
    Object.entries(serverPairs).map(([path, pair]) => [
      `spec.autoscaling.prometheus${path}`,
      [aiming({ prometheus: pair[0] }), aiming({ prometheus: pair[1] })] as const,
    ]),
  ),
  'spec.serviceAccount.identity': [
    { ...shared, model: { uri: 's3://models/a' } },
    { ...shared, model: { uri: 's3://models/a' }, serviceAccount: { identity: 'eks-pod-identity' } },
  ],
  'spec.security.level': [shared, { ...shared, security: { level: 'baseline' } }],
};

const VALUES = {
  '.model.credentials.secretName': ['reader', 'other'],
  '.gpuResource': ['nvidia.com/gpu', 'amd.com/gpu'],
  '.maxSurge': [1, 2],
  '.maxUnavailable': [1, 2],
} as const;

/** Two valid specs that differ in the one field. */
const pairOf = (leaf: string): readonly [object, object] =>
  PAIRS[leaf] ?? variantsOf({ ...shared }, schema, leaf, VALUES);

const rendered = (spec: object): string => JSON.stringify(render(spec as ModelServingSpecInput));

describe('every field of the spec', () => {
  const leaves = leavesOf(schema);
  const effective = leaves.filter((leaf) => !(leaf in OPERATOR_ONLY));

  test.each(effective)('%s changes what is rendered', (leaf) => {
    const [one, other] = pairOf(leaf);
    expect(rendered(one)).not.toBe(rendered(other));
  });

  test('that changes nothing is one that only the operator uses', () => {
    expect(leaves).toEqual(expect.arrayContaining(Object.keys(OPERATOR_ONLY)));
  });
});
