import { describe, expect, it } from 'vitest';
import type { ObservedContainer } from '../../../../operator/engine/api/observed.ts';
import {
  MINUTE,
  NO_SECRET,
  START,
  URI,
  claim,
  container,
  decide,
  deployment,
  ends,
  fetcher,
  job,
  resourceOf,
  conditionOf,
  secret,
  messageOf,
  server,
  service,
  shared,
  single,
  unschedulable,
  RUNNING,
} from './support.ts';

const NO_GPU =
  '0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.';
const BUSY =
  '0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.';

const deploying = (over: Partial<ObservedContainer>) => ({
  resource: resourceOf(shared),
  children: [claim(URI), job(URI, 'Complete'), deployment({ ready: 0 }), service()],
  pods: [server(shared, { containers: [container('server', over)] })],
});

const refusing = (message: string) => ({
  resource: resourceOf(shared),
  children: [
    claim(URI),
    job(URI, 'Complete'),
    deployment({
      replicas: 0,
      conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }],
    }),
    service(),
  ],
});

/** A pod that finds no node, for which no autoscaler has said anything. */
function scheduling(message: string) {
  const pod = server(shared, unschedulable(message));
  const answers = { [`events/${pod.uid}`]: { at: START, type: 'events', events: [] } as const };
  return { ...deploying({}), pods: [pod], answers };
}

describe('what keeps servers from starting', () => {
  it.each([
    ['no such GPU', scheduling(NO_GPU), 'Pending', 'True NoSuchGPU', /resources\.gpuProduct.*may still come/],
    ['all GPUs in use', scheduling(BUSY), 'Pending', 'True InsufficientGPUs', /add nodes/],
    [
      'a quota',
      refusing('pods "x" is forbidden: exceeded quota: gpus'),
      'Failed',
      'False QuotaExceeded',
      /quota: gpus/,
    ],
    ['a policy', refusing('violates PodSecurity "restricted"'), 'Failed', 'False PodsForbidden', /PodSecurity/],
    [
      'an image that can not be pulled',
      deploying({
        image: 'vllm:nope',
        waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "vllm:nope"' },
      }),
      'Failed',
      'False ImagePullFailed',
      /vllm:nope/,
    ],
    [
      'a crash loop',
      deploying({
        waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s' },
        lastTerminated: ends(3, 'unrecognized arguments'),
      }),
      'Failed',
      'False CrashLoop',
      /exit code 3: unrecognized arguments/,
    ],
    [
      'a crash loop between two crashes',
      deploying({ ...RUNNING, lastTerminated: ends(3, 'unrecognized arguments') }),
      'Failed',
      'False CrashLoop',
      /exit code 3: unrecognized arguments/,
    ],
    [
      'want of memory',
      deploying({ lastTerminated: ends(137, '', 'OOMKilled') }),
      'Failed',
      'False OutOfMemory',
      /resources\.memory/,
    ],
    [
      'a startup that takes too long',
      deploying({ startupSeconds: 800, lastTerminated: ends(137) }),
      'Failed',
      'False NeverReady',
      /startup budget/,
    ],
    [
      'something else that a container refers to',
      deploying({ waiting: { reason: 'CreateContainerConfigError', message: 'configmap "c" not found' } }),
      'Failed',
      'False ReferenceMissing',
      /configmap "c" not found/,
    ],
    [
      'a state that can not start it',
      deploying({ waiting: { reason: 'RunContainerError', message: 'no such device' } }),
      'Failed',
      'False StartFailed',
      /no such device/,
    ],
    ['nothing but time', deploying(RUNNING), 'Deploying', 'True Deploying', /none of them answers/],
  ] as const)('%s', (_, observed, phase, progressing, words) => {
    const { status } = decide(observed);
    expect([status.phase, conditionOf(status, 'Progressing')]).toEqual([phase, progressing]);
    expect(messageOf(status, 'Progressing')).toMatch(words);
    expect(conditionOf(status, 'Available')).toBe(`False ${progressing.split(' ')[1]}`);
    expect(conditionOf(status, 'Ready')).toBe(`False ${progressing.split(' ')[1]}`);
  });

  it('a progress deadline that passed, with nothing to be seen at the pods', () => {
    const overdue = {
      type: 'Progressing',
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: 'has timed out',
    };
    const { status } = decide({
      ...deploying(RUNNING),
      children: [claim(URI), job(URI, 'Complete'), deployment({ ready: 0, conditions: [overdue] }), service()],
    });
    expect(conditionOf(status, 'Progressing')).toBe('False NeverReady');
  });

  it('an old pod that crashes says nothing of the new one that replaces it', () => {
    const crashing = server(shared, {
      containers: [container('server', { lastTerminated: ends(3) })],
      labels: { 'app.kubernetes.io/component': 'server', 'pod-template-hash': 'old' },
    });
    const starting = server(shared, {
      name: 'llama-server-2',
      createdAt: START,
      containers: [container('server', RUNNING)],
    });
    const { status } = decide({
      ...deploying({}),
      children: [claim(URI), job(URI, 'Complete'), deployment({ replicas: 2, updated: 1, ready: 0 }), service()],
      pods: [crashing, starting],
    });
    expect(conditionOf(status, 'Progressing')).toBe('True Deploying');
  });

  it('a Secret to pull images with that is missing is named where a pull fails', () => {
    const observed = deploying({ image: 'private:1', waiting: { reason: 'ErrImagePull', message: 'unauthorized' } });
    const resource = resourceOf({ ...shared, imagePullSecrets: [{ name: 'registry' }] });
    const { status } = decide({ ...observed, resource, answers: { 'secret/registry': NO_SECRET } });
    expect(messageOf(status, 'Progressing')).toMatch(/unauthorized.*no Secret registry/);
  });
});

describe('a download that fails', () => {
  const failed = {
    resource: resourceOf(shared),
    children: [claim(URI), job(URI, 'Failed')],
    pods: [fetcher(URI, { terminated: ends(67, 'the host answered 401') })],
  };

  it('is reported with its last words and exit code', () => {
    const { status } = decide(failed);
    expect(status.phase).toBe('Failed');
    expect(conditionOf(status, 'WeightsReady')).toBe('False DownloadFailed');
    expect(conditionOf(status, 'Progressing')).toBe('False DownloadFailed');
    expect(messageOf(status, 'WeightsReady')).toMatch(/exit code 67: the host answered 401\. .*2026-01-01T00:10:00Z/);
  });

  it('is reported in the words of the Job where no pod is left', () => {
    expect(messageOf(decide({ ...failed, pods: [] }).status, 'WeightsReady')).toContain('words of the Job');
  });

  it('is tried again after ten minutes and not before', () => {
    const early = decide(failed, START + 10 * MINUTE - 1);
    expect(early.replace).toBeUndefined();
    expect(early.requeueAt).toBe(START + 10 * MINUTE);
    expect(decide(failed, START + 10 * MINUTE).replace).toEqual(['fetch']);
  });

  const guarded = { ...shared, model: { ...shared.model, credentials: { secretName: 's3' } } };

  it('is tried again at once when its credentials change', () => {
    const status = { references: { s3: { baseline: 'one' } } };
    const at = (hash: string) =>
      decide({ ...failed, resource: resourceOf(guarded, { status }), answers: { 'secret/s3': secret(hash) } });
    expect(at('one').replace).toBeUndefined();
    expect(at('two').replace).toEqual(['fetch']);
    expect(at('two').status.references).toEqual({ s3: { baseline: 'one', current: 'two' } });
  });

  it('is told as missing credentials where there is no such Secret', () => {
    const { status } = decide({ ...failed, resource: resourceOf(guarded), answers: { 'secret/s3': NO_SECRET } });
    expect(conditionOf(status, 'WeightsReady')).toBe('False ReferenceMissing');
    expect(messageOf(status, 'WeightsReady')).toMatch(/no Secret s3.*exit code 67/);
    const again = decide({ ...failed, resource: resourceOf(guarded, { status }) });
    expect(again.status, 'an operator that has not looked yet').toEqual(status);
  });

  it('is being tried again by its Job, which is not a failure yet', () => {
    const { status } = decide({
      ...failed,
      children: [claim(URI), job(URI)],
      pods: [
        fetcher(URI, { terminated: ends(1, 'connection reset') }),
        fetcher(URI, RUNNING, { name: 'llama-fetch-2', createdAt: START }),
      ],
    });
    expect(status.phase).toBe('Downloading');
    expect(conditionOf(status, 'WeightsReady')).toBe('False DownloadRetrying');
    expect(messageOf(status, 'WeightsReady')).toContain('connection reset');
  });

  it('that was killed is said by its signal, without lines of progress', () => {
    const log = 'Killed\n{"message":"fetching 2 files","bytes":0}\n{"bytes":7}';
    const { status } = decide({
      ...failed,
      children: [claim(URI), job(URI)],
      pods: [fetcher(URI, { terminated: ends(137, log) })],
    });
    expect(messageOf(status, 'WeightsReady')).toMatch(
      /failed with exit code 137 \(SIGKILL\): Killed\. It is being tried again/,
    );
  });

  it.each([
    [67, 1, 'False DownloadFailed', 'Failed'],
    [1, 1, 'False DownloadRetrying', 'Downloading'],
    [137, 1, 'False DownloadRetrying', 'Downloading'],
    [1, 5, 'False DownloadFailed', 'Failed'],
  ])('in an init container with exit code %i after %i attempts is %s', (exitCode, restarts, weights, phase) => {
    const { status } = decide({
      resource: resourceOf(single),
      children: [claim(URI), deployment({ ready: 0 }), service()],
      pods: [
        server(single, {
          containers: [
            container('fetch', { init: true, restarts, ...RUNNING, lastTerminated: ends(exitCode, 'words') }),
          ],
        }),
      ],
    });
    expect(conditionOf(status, 'WeightsReady')).toBe(weights);
    expect(status.phase).toBe(phase);
  });

  it('is not told for a Job whose pod is refused: that is', () => {
    const { status } = decide({ ...failed, children: [claim(URI), job(URI)], pods: [] }, START + MINUTE);
    expect(conditionOf(status, 'WeightsReady')).toBe('False PodNotCreated');
  });

  it('is not told for a fetcher that finds no node: that is', () => {
    const { status } = decide(
      {
        ...failed,
        children: [claim(URI), job(URI)],
        pods: [
          fetcher(URI, {}, unschedulable('0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.')),
        ],
      },
      START + MINUTE,
    );
    expect(conditionOf(status, 'WeightsReady')).toBe('False VolumeNotBound');
  });
});
