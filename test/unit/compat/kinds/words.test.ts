import { describe, expect, test } from 'vitest';
import type { CommonStatus } from '../../../../operator/engine/api/resource.ts';
import { translations } from '../../../../compat/kinds/index.ts';
import { reconciled, fromFile, kindOf, NOW } from './support.ts';
import { refused } from '../../../support/decided.ts';

const condition = (type: string, status: string, message = '') => ({
  type,
  status,
  reason: type,
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

const words = (file: string, id: string, status: object): object => {
  const resource = fromFile(file, id);
  const translation = translations.find(({ theirs }) => theirs.kind === resource.kind);
  const conditions = (status as CommonStatus).conditions ?? [];
  return translation?.wordsOf({ status, conditions }, resource) ?? {};
};

const stuck = [condition('Progressing', 'False', 'No GPU.')];
const fetched = [condition('WeightsReady', 'True')];

describe('our status in the words of the users of', () => {
  test.each([
    [{ phase: 'Pending' }, 'Pending'],
    [{ phase: 'Downloading' }, 'Downloading'],
    [{ phase: 'Deploying' }, 'Deploying'],
    [{ phase: 'Running' }, 'Running'],
    [{ phase: 'Failed' }, 'Failed'],
    [{ phase: 'Updating' }, 'Downloading'],
    [{ phase: 'Updating', conditions: fetched }, 'Deploying'],
    [{ phase: 'Updating', conditions: stuck }, 'Failed'],
    [{ phase: 'Draining' }, 'Running'],
    [{ phase: 'Retired' }, 'Pending'],
  ])('ModelDeployment and MLModel: %j is %s', (status, phase) => {
    expect(words('modeldeployment.yaml', 'ModelDeployment/llama-3-8b', status)).toMatchObject({ phase });
    expect(words('mlmodel.yaml', 'MLModel/half-plus-two', status)).toMatchObject({ phase });
  });

  test('ModelDeployment: endpoint and readyPods', () => {
    const status = { phase: 'Running', endpoint: 'http://a', readyReplicas: 2 };
    expect(words('modeldeployment.yaml', 'ModelDeployment/llama-3-8b', status)).toEqual({
      phase: 'Running',
      endpoint: 'http://a',
      readyPods: 2,
    });
  });

  test('MLModel: a message with the present step, or why it failed', () => {
    expect(words('mlmodel.yaml', 'MLModel/half-plus-two', { phase: 'Failed', conditions: stuck })).toMatchObject({
      message: 'No GPU.',
    });
  });

  test.each([
    ['Pending', 'Pending'],
    ['Queued', 'Pending'],
    ['Running', 'Running'],
    ['Restarting', 'Pending'],
    ['Suspended', 'Pending'],
    ['Completed', 'Completed'],
    ['Failed', 'Failed'],
  ])('MLTrainingJob: %s is %s', (ours, phase) => {
    expect(words('mltrainingjob.yaml', 'MLTrainingJob/autotuned-training', { phase: ours })).toMatchObject({ phase });
  });

  test('MLTrainingJob: pods have the names and roles that they are known by', () => {
    const status = {
      phase: 'Running',
      startTime: '2026-01-01T00:00:00Z',
      workerStatuses: [
        { rank: 0, pod: 'autotuned-training-1-0-abcde', phase: 'Running' },
        { rank: 2, pod: 'autotuned-training-1-2-fghij', phase: 'Failed', exitCode: 1 },
      ],
    };
    expect(words('mltrainingjob.yaml', 'MLTrainingJob/autotuned-training', status)).toEqual({
      phase: 'Running',
      startTime: '2026-01-01T00:00:00Z',
      workerStatuses: [
        { name: 'autotuned-training-master', role: 'master', pod: 'autotuned-training-1-0-abcde', phase: 'Running' },
        {
          name: 'autotuned-training-worker-1',
          role: 'worker',
          pod: 'autotuned-training-1-2-fghij',
          phase: 'Failed',
          exitCode: 1,
        },
      ],
    });
  });

  test.each([
    ['Pending', 'Scaling'],
    ['Running', 'Running'],
    ['Scaling', 'Scaling'],
    ['Updating', 'Scaling'],
    ['Stopped', 'Running'],
    ['Error', 'Error'],
  ])('AIAgent: %s is %s', (ours, phase) => {
    const status = { phase: ours, readyReplicas: 1 };
    expect(words('aiagent.yaml', 'AIAgent/support-agent', status)).toEqual({ phase, readyReplicas: 1 });
  });

  test('AIAgent: when anything else of the status last changed', () => {
    const resource = fromFile('aiagent.yaml', 'AIAgent/support-agent');
    const before: object = { ...reconciled(resource).status, lastUpdated: '2025-01-01T00:00:00Z' };
    expect(reconciled({ ...resource, status: before }).status).toEqual(before);
    const changed: object = { ...before, readyReplicas: 7 };
    expect(reconciled({ ...resource, status: changed }).status).toMatchObject({ lastUpdated: '2026-01-01T00:00:00Z' });
  });
});

describe('what the operator has to remember', () => {
  test('is in the status, and comes back from it: nothing is decided again', () => {
    const resource = fromFile('modeldeployment.yaml', 'ModelDeployment/llama-3-8b');
    const first = reconciled(resource).status;
    const again = reconciled({ ...resource, status: first }).status;
    expect(again).toEqual(first);
    expect(first).toMatchObject({ phase: 'Pending', workload: { phase: 'Pending', weights: expect.anything() } });
  });

  test('stays where the spec can no longer work', () => {
    const resource = fromFile('modeldeployment.yaml', 'ModelDeployment/llama-3-8b');
    const status = { ...reconciled(resource).status, endpoint: 'http://a' };
    const workload = { phase: 'Running', endpoint: 'http://a', weights: { uri: 'hf://a/b' } };
    const before = { ...resource, status: { ...status, workload } as object };
    expect(refused(kindOf(resource), before, 'no', { now: NOW })).toMatchObject({
      phase: 'Failed',
      endpoint: 'http://a',
      workload: { weights: { uri: 'hf://a/b' } },
    });
  });
});
