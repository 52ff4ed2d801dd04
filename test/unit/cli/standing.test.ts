import { describe, expect, test } from 'vitest';
import { healthOf } from '../../../cli/status/objects.ts';
import { live, pod } from './support/objects.ts';

describe('an object tells how it is doing', () => {
  const around = { events: [], endpoints: [] };
  const job = (status: object, spec: object = {}) => live('batch/v1', 'Job', 'fetch', { spec, status });
  const is = (type: string, message = '') => ({ conditions: [{ type, status: 'True', reason: 'Why', message }] });

  test.for([
    ['a Job that is complete', job(is('Complete')), 'ok', 'complete', []],
    ['a Job that has failed', job(is('Failed', 'it gave up.')), 'failed', 'failed', ['Why: it gave up']],
    ['a Job of which all run', job({ active: 4 }, { completions: 4 }), 'ok', '4 of 4 run', []],
    [
      'a Job of which some have ended',
      job({ active: 1, succeeded: 1 }, { completions: 4 }),
      'waiting',
      '1 of 4 run, 1 succeeded',
      [],
    ],
    [
      'a claim without a volume',
      live('v1', 'PersistentVolumeClaim', 'w', { status: { phase: 'Lost' } }),
      'failed',
      'Lost',
      ['Its volume is gone'],
    ],
    [
      'an autoscaler without metrics',
      live('autoscaling/v2', 'HorizontalPodAutoscaler', 'h', {
        spec: { minReplicas: 1, maxReplicas: 4 },
        status: {
          currentReplicas: 1,
          desiredReplicas: 0,
          conditions: [
            { type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric', message: 'no metrics.' },
          ],
        },
      }),
      'waiting',
      '1 replicas, wants 0 of 1 to 4',
      ['FailedGetResourceMetric: no metrics'],
    ],
    [
      'a route that its Gateway has refused',
      live('gateway.networking.k8s.io/v1', 'HTTPRoute', 'r', {
        status: {
          parents: [{ conditions: [{ type: 'Accepted', status: 'False', reason: 'NotAllowed', message: 'no.' }] }],
        },
      }),
      'waiting',
      '',
      ['NotAllowed: no'],
    ],
    [
      'a trial that runs',
      live('trunnion.dev/v1alpha1', 'DistributedTraining', 't', { status: { phase: 'Running' } }),
      'ok',
      'Running',
      [],
    ],
    [
      'what is on its way out and held up',
      live('v1', 'ConfigMap', 'c', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b'] } }),
      'leaving',
      'is being deleted',
      ['It goes once these are taken off: a/b'],
    ],
    [
      'a pod that nobody asks whether it is ready',
      pod('p', {
        phase: 'Running',
        containerStatuses: [{ name: 'trainer', image: 'a', ready: false, restartCount: 0, state: { running: {} } }],
      }),
      'ok',
      'running',
      [],
    ],
    [
      'a pod that waits behind a gate',
      pod('p', { phase: 'Pending' }, { spec: { schedulingGates: [{ name: 'kueue.x-k8s.io/admission' }] } }),
      'waiting',
      'pending',
      ['It is not scheduled before its gate kueue.x-k8s.io/admission is removed'],
    ],
  ] as const)('%s', ([, object, state, summary, because]) => {
    expect(healthOf(object, around)).toEqual({ state, summary, because });
  });

  test('a claim that waits says what was told of it, though that is no warning', () => {
    const claim = live('v1', 'PersistentVolumeClaim', 'w', {
      spec: { storageClassName: 'fast', resources: { requests: { storage: '4Gi' } } },
      status: { phase: 'Pending' },
    });
    const reported = {
      about: '',
      warning: false,
      reason: 'WaitForFirstConsumer',
      message: 'waiting for a pod',
      count: 1,
      at: 0,
    };
    expect(healthOf(claim, { ...around, events: [reported] })).toEqual({
      state: 'waiting',
      summary: 'Pending, 4Gi, fast',
      because: ['WaitForFirstConsumer: waiting for a pod'],
    });
  });

  test('a service counts the pods that answer', () => {
    const slice = live('discovery.k8s.io/v1', 'EndpointSlice', 's', {
      metadata: { labels: { 'kubernetes.io/service-name': 'llama' } },
      endpoints: [{ conditions: { ready: true } }, { conditions: { ready: false } }],
    });
    const service = live('v1', 'Service', 'llama', { spec: { clusterIP: '10.0.0.7' } });
    expect(healthOf(service, { ...around, endpoints: [slice] })).toMatchObject({
      state: 'ok',
      summary: '10.0.0.7, 1 pod answers',
    });
  });
});

test('a Job whose pods wait for a node does not run, though it counts them as active', () => {
  const owner = live('batch/v1', 'Job', 'fetch', { spec: { completions: 2 }, status: { active: 2 } });
  const pods = [pod('a', { phase: 'Running' }), pod('b', { phase: 'Pending' })];
  expect(healthOf(owner, { events: [], endpoints: [], pods })).toEqual({
    state: 'waiting',
    summary: '1 of 2 run',
    because: [],
  });
});
