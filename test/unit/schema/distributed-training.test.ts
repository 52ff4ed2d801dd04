import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distributedTraining } from '../../../constructs/distributed-training/kind.ts';
import { SpecError } from '../../../constructs/schema/error.ts';
import { parseSpec, type Host } from '../../../constructs/schema/parse.ts';
import { accepted } from '../../examples/distributed-training/accepted.ts';
import {
  minimal,
  mpi,
  search,
  type AcceptedExample,
  type RefusedExample,
} from '../../examples/distributed-training/example.ts';
import { refused } from '../../examples/distributed-training/refused.ts';
import { distributedTrainingArbitrary, trainingName } from '../../support/arbitrary-distributed-training.ts';

const parse = ({ name = 'resnet', spec }: Omit<AcceptedExample | RefusedExample, 'title'>, host: Host = 'operator') =>
  parseSpec(distributedTraining, { name, namespace: 'training', spec: spec as AcceptedExample['spec'], host });

function errorOf(run: () => unknown): SpecError {
  try {
    run();
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  return expect.unreachable('must be refused');
}

describe('the spec of a DistributedTraining', () => {
  test.each(accepted)('accepts $title', (example) => {
    expect(() => parse(example)).not.toThrow();
  });

  test.each(refused)('refuses $title', (example) => {
    const { problems } = errorOf(() => parse(example));
    for (const [path, message] of example.problems) {
      expect(problems).toContainEqual(expect.objectContaining({ path, message: expect.stringContaining(message) }));
    }
    expect(problems).toHaveLength(example.problems.length);
  });

  test('gets the defaults that its schema states', () => {
    expect(parse({ spec: minimal })).toEqual({
      ...minimal,
      replicas: 1,
      resources: { gpu: 0, gpuResource: 'nvidia.com/gpu' },
      retry: { limit: 6, backoffSeconds: 10, maxBackoffSeconds: 600 },
      suspend: false,
      spot: false,
      security: { level: 'restricted' },
    });
  });

  test('is parsed to what zod makes of it', () => {
    for (const example of accepted) expect(parse(example)).toEqual(distributedTraining.spec.parse(example.spec));
  });

  test('needs a key for MPI in a static host, which makes none', () => {
    expect(errorOf(() => parse({ spec: mpi }, 'static')).problems).toEqual([
      { path: 'spec.mpi.sshSecretName', message: expect.stringContaining('makes no keys') },
    ]);
    expect(() => parse({ spec: { ...mpi, mpi: { sshSecretName: 'key' } } }, 'static')).not.toThrow();
  });

  test('has no search in a static host', () => {
    expect(errorOf(() => parse({ spec: search }, 'static')).problems).toEqual([
      { path: 'spec.tuning', message: expect.stringContaining('needs the operator') },
    ]);
  });

  test.each([
    ['another space', { parameters: { learningRate: { type: 'int', values: [1] } } }],
    ['another goal', { objective: { metric: 'val_accuracy', goal: 'minimize' } }],
    ['another seed', { seed: 1 }],
  ])('lets no search continue in %s', (_, change) => {
    const changed = { ...search, tuning: { ...search.tuning, ...change } } as typeof search;
    const before = { name: 'a', namespace: 'b', host: 'operator', old: search } as const;
    expect(errorOf(() => parseSpec(distributedTraining, { ...before, spec: changed })).message).toMatch(
      /must stay as they are/,
    );
    const longer = { ...search, tuning: { ...search.tuning, maxTrials: 40, parallelTrials: 2 } };
    expect(() => parseSpec(distributedTraining, { ...before, spec: longer })).not.toThrow();
    expect(errorOf(() => parseSpec(distributedTraining, { ...before, spec: minimal })).message).toMatch(
      /neither be added nor removed/,
    );
  });

  test('is valid in every host where it is generated, and is what zod makes of it', () => {
    fc.assert(
      fc.property(trainingName, distributedTrainingArbitrary, (name, spec) => {
        expect(parse({ name, spec }, 'static')).toEqual(distributedTraining.spec.parse(spec));
      }),
      { numRuns: 300 },
    );
  });
});
