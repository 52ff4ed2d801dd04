import { describe, expect, test } from 'vitest';
import { jobFailure, resourceFailure } from '../../../stacks/pulumi/waiting.ts';

const condition = (type: string, status: string, reason: string, message: string) => ({
  conditions: [{ type, status, reason, message }],
});

describe('a Job that is over', () => {
  test('failed with its cause, and with where to look', () => {
    const status = condition('Failed', 'True', 'PodFailurePolicy', 'Container fetch failed with exit code 67');
    expect(jobFailure('llama-fetch', 'models', status)).toBe(
      'Job models/llama-fetch failed: PodFailurePolicy: Container fetch failed with exit code 67. The host wants credentials, or others: see spec.model.credentials. Its log says more: kubectl logs -n models job/llama-fetch. Once the cause is fixed, the next pulumi up runs it again',
    );
  });

  test.for([
    ['it completed', condition('Complete', 'True', 'CompletionsReached', '')],
    ['it says nothing yet', undefined],
    ['it is suspended', condition('Suspended', 'True', 'JobSuspended', '')],
  ] as const)('did not fail where %s', ([, status]) => {
    expect(jobFailure('llama-fetch', 'models', status)).toBeUndefined();
  });
});

describe('a custom resource', () => {
  const model = { kind: 'ModelServing', name: 'llama', namespace: 'models' };

  test.for([
    ['Accepted', condition('Accepted', 'False', 'Invalid', 'spec.engine: unknown'), 'Invalid: spec.engine: unknown.'],
    ['Ready', condition('Progressing', 'False', 'NoSuchGPU', 'No node has it.'), 'NoSuchGPU: No node has it.'],
    ['Ready', condition('Accepted', 'False', 'Invalid', 'spec.x'), 'Invalid: spec.x.'],
    ['Complete', condition('Failed', 'True', 'ProgramFailed', 'exit code 3'), 'ProgramFailed: exit code 3.'],
  ] as const)('that is to be %s says why it won’t be', ([awaited, status, cause]) => {
    expect(resourceFailure({ ...model, awaited }, status)).toMatch(
      `ModelServing models/llama: ${cause} trunnion status -n models llama says more.`,
    );
  });

  test('that is Ready is healthy, even while a rollout runs', () => {
    const { conditions } = condition('Progressing', 'False', 'Stuck', 'x');
    const status = { conditions: [...conditions, { type: 'Ready', status: 'True' }] };
    expect(resourceFailure({ ...model, awaited: 'Ready' }, status)).toBeUndefined();
  });

  test('that nobody waits for to end may fail later', () => {
    const status = condition('Failed', 'True', 'ProgramFailed', 'exit code 3');
    expect(resourceFailure({ ...model, awaited: 'Accepted' }, status)).toBeUndefined();
  });
});
