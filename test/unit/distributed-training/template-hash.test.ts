import { describe, expect, it, test } from 'vitest';
import { distributedTraining } from '../../../constructs/distributed-training/kind.ts';
import type {
  DistributedTrainingSpec,
  DistributedTrainingSpecInput,
} from '../../../constructs/distributed-training/spec.ts';
import { isTemplateHash, templateHash } from '../../../constructs/distributed-training/jobs.ts';
import { shortHashOf } from '../../../constructs/parts/weights/key.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';

const specOf = (over: Partial<DistributedTrainingSpecInput> = {}): DistributedTrainingSpec =>
  parseSpec(distributedTraining, {
    name: 'resnet',
    namespace: 'training',
    spec: { framework: 'pytorch', image: 'torch:1', command: ['torchrun', 'train.py'], ...over },
  });

const withContainer = (fields: object): DistributedTrainingSpec =>
  specOf({ podTemplate: { spec: { containers: [{ name: 'log', image: 'log:1', ...fields }] } } });

const withInit = (fields: object): DistributedTrainingSpec =>
  specOf({ podTemplate: { spec: { initContainers: [{ name: 'prepare', image: 'log:1', ...fields }] } } });

const withVolume = (emptyDir: object): DistributedTrainingSpec =>
  specOf({ podTemplate: { spec: { volumes: [{ name: 'scratch', emptyDir }] } } });

/** As releases up to now made it. */
function hashAsWritten(spec: DistributedTrainingSpec): string {
  const { suspend: _, retry: __, ...rest } = spec;
  return shortHashOf(rest);
}

describe('the hash of what pods are made of', () => {
  it.each<[string, DistributedTrainingSpec, DistributedTrainingSpec]>([
    [
      'the protocol of a port',
      withContainer({ ports: [{ containerPort: 9 }] }),
      withContainer({ ports: [{ containerPort: 9, protocol: 'TCP' }] }),
    ],
    [
      'the protocol of a port of an init container',
      withInit({ ports: [{ containerPort: 9 }] }),
      withInit({ ports: [{ containerPort: 9, protocol: 'TCP' }] }),
    ],
    [
      'an amount that is requested',
      withContainer({ resources: { requests: { cpu: '1' } } }),
      withContainer({ resources: { requests: { cpu: '1000m' } } }),
    ],
    [
      'an amount that is the limit',
      withInit({ resources: { limits: { memory: '1Gi' } } }),
      withInit({ resources: { limits: { memory: '1024Mi' } } }),
    ],
    ['the size of a volume', withVolume({ sizeLimit: '2Gi' }), withVolume({ sizeLimit: '2048Mi' })],
    ['the CPUs of a rank', specOf({ resources: { cpu: 4 } }), specOf({ resources: { cpu: '4000m' } })],
    ['the memory of a rank', specOf({ resources: { memory: '1Ti' } }), specOf({ resources: { memory: '1024Gi' } })],
  ])('is the same, however one writes %s', (_, one, other) => {
    expect(templateHash(other)).toBe(templateHash(one));
  });

  it.each<[string, DistributedTrainingSpec, DistributedTrainingSpec]>([
    [
      'another protocol',
      withContainer({ ports: [{ containerPort: 9 }] }),
      withContainer({ ports: [{ containerPort: 9, protocol: 'UDP' }] }),
    ],
    ['another amount', specOf({ resources: { cpu: 4 } }), specOf({ resources: { cpu: '4001m' } })],
    [
      'a text that only looks like an amount',
      specOf({ hyperparameters: { memory: '1' } }),
      specOf({ hyperparameters: { memory: '1000m' } }),
    ],
    [
      'an identity that is a label of the pods',
      specOf({ serviceAccount: {} }),
      specOf({ serviceAccount: { identity: 'azure-workload-identity' } }),
    ],
  ])('changes with %s', (_, one, other) => {
    expect(templateHash(other)).not.toBe(templateHash(one));
  });

  test('of a spec that has one way to be written stays what it was in earlier releases', () => {
    expect(templateHash(specOf())).toBe('7ab0fdc324');
    const container = { ports: [{ containerPort: 9 }], resources: { limits: { memory: '1Gi' } } };
    expect(templateHash(withContainer(container))).toBe('bba50ad76b');
  });

  test('that an earlier release put on a Job is still that of its spec, and of no other', () => {
    const spec = withContainer({ ports: [{ containerPort: 9, protocol: 'TCP' }] });
    const before = hashAsWritten(spec);
    expect(before).not.toBe(templateHash(spec));
    expect(isTemplateHash(before, spec)).toBe(true);
    expect(isTemplateHash(before, specOf())).toBe(false);
    expect(isTemplateHash(undefined, spec)).toBe(false);
  });
});
