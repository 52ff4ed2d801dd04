import { describe, expect, it, test } from 'vitest';
import type { ModelServingSpec } from '../../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../../constructs/model-serving/status.ts';
import { reporting as byAgent } from '../agent-service/support.ts';
import {
  MINUTE,
  decide,
  resourceOf,
  runningChildren,
  conditionOf,
  messageOf,
  server,
  shared,
  START,
} from './support.ts';

const { replicas: _, ...unscaled } = shared;
const byCpu: ModelServingSpec = {
  ...unscaled,
  autoscaling: { minReplicas: 1, maxReplicas: 4, targets: { cpuPercent: 70 } },
};
const byQueueDepth: ModelServingSpec = {
  ...unscaled,
  autoscaling: {
    minReplicas: 1,
    maxReplicas: 4,
    targets: { queueDepth: 5 },
    prometheus: { serverAddress: 'http://prometheus:9090' },
  },
};

const reporting = (kind: string, conditions: Readonly<Record<string, string>>) => ({
  ...byAgent(kind, conditions),
  namespace: 'models',
  name: 'llama',
});
const served = (is: boolean) => ({
  'served/ScaledObject.v1alpha1': { at: START, type: 'served', served: is } as const,
});

/** A service that runs, with its autoscaler. */
const runs = (spec: ModelServingSpec, autoscaler: Parameters<typeof reporting> | undefined, is = true) => ({
  resource: resourceOf(spec),
  children: [...runningChildren(spec), ...(autoscaler ? [reporting(...autoscaler)] : [])],
  pods: [server(spec)],
  answers: served(is),
});

describe('a service whose autoscaler cannot scale answers, and is not ready', () => {
  test.each([
    [
      'FailedGetResourceMetric of an HPA',
      'ScalingActive',
      byCpu,
      'HorizontalPodAutoscaler',
      { ScalingActive: 'False' },
    ],
    ['an HPA that may not scale', 'AbleToScale', byCpu, 'HorizontalPodAutoscaler', { AbleToScale: 'False' }],
    ['a ScaledObject that is not ready', 'Ready', byQueueDepth, 'ScaledObject', { Ready: 'False' }],
    ['a ScaledObject that was paused', 'Paused', byQueueDepth, 'ScaledObject', { Ready: 'True', Paused: 'True' }],
  ])('%s', (_why, type, spec, kind, conditions) => {
    const { status } = decide(runs(spec, [kind, conditions]));
    expect(conditionOf(status, 'ScalingActive')).toBe(`False ${type}Reason`);
    expect(conditionOf(status, 'Ready')).toBe(`False ${type}Reason`);
    expect(messageOf(status, 'Ready')).toBe(
      `The replicas don't follow the load. The autoscaler says: words about ${type}.`,
    );
    expect(conditionOf(status, 'Available')).toBe('True Available');
    expect(status.phase).toBe('Running');
  });

  it('since KEDA gets no number, which Ready tells with what to check', () => {
    const { status } = decide(runs(byQueueDepth, ['ScaledObject', { Ready: 'True', Fallback: 'True' }]));
    expect(conditionOf(status, 'ScalingActive')).toBe('False FallbackReason');
    expect(messageOf(status, 'Ready')).toBe(
      "The replicas don't follow the load. The autoscaler says: words about Fallback. The replicas stay until KEDA gets a " +
        'number. Check that the server of spec.autoscaling.prometheus answers and scrapes the pods; the events of ' +
        'ScaledObject llama say what it got.',
    );
    expect(conditionOf(status, 'Available')).toBe('True Available');
  });

  it('since KEDA is not there, which Ready tells once', () => {
    const { status } = decide(runs(byQueueDepth, undefined, false));
    expect(conditionOf(status, 'ScalingActive')).toBe('False KedaNotInstalled');
    expect(messageOf(status, 'Ready')).toBe(messageOf(status, 'ScalingActive'));
  });

  it('since it could not be made, which Ready tells once', () => {
    const problems = [{ child: 'autoscaler', reason: 'Invalid', message: 'spec.minReplicas: Invalid value' }];
    const { status } = decide({ ...runs(byCpu, undefined), problems });
    expect(conditionOf(status, 'ScalingActive')).toBe('False Invalid');
    expect(messageOf(status, 'Ready')).toBe(messageOf(status, 'ScalingActive'));
  });
});

describe('a service whose autoscaler works', () => {
  test.each([
    [byCpu, 'HorizontalPodAutoscaler', { AbleToScale: 'True', ScalingActive: 'True', ScalingLimited: 'True' }],
    [byQueueDepth, 'ScaledObject', { Ready: 'True', Active: 'False', Fallback: 'False' }],
  ] as const)('is ready', (spec, kind, conditions) => {
    const { status } = decide(runs(spec, [kind, conditions]));
    expect(conditionOf(status, 'ScalingActive')).toMatch(/^True /);
    expect(conditionOf(status, 'Ready')).toBe('True Ready');
  });

  it('is one of Kubernetes where CPU is all that counts, though a Prometheus is named', () => {
    const prometheus = { serverAddress: 'http://prometheus:9090' };
    const spec: ModelServingSpec = {
      ...byCpu,
      autoscaling: { minReplicas: 1, maxReplicas: 4, targets: { cpuPercent: 70 }, prometheus },
    };
    const { status, queries } = decide(runs(spec, ['HorizontalPodAutoscaler', { ScalingActive: 'True' }], false));
    expect([conditionOf(status, 'ScalingActive'), conditionOf(status, 'Ready')]).toEqual([
      'True ScalingActiveReason',
      'True Ready',
    ]);
    expect(queries.filter(({ type }) => type === 'served')).toEqual([]);
  });

  it('is ready before that has said anything', () => {
    const { status } = decide(runs(byCpu, ['HorizontalPodAutoscaler', {}]));
    expect(conditionOf(status, 'ScalingActive')).toBe('Unknown NotReported');
    expect(conditionOf(status, 'Ready')).toBe('True Ready');
  });
});

describe('an autoscaler that nobody answers for', () => {
  const scaler = { createdAt: START };
  const silent = (spec: ModelServingSpec, kind: string, conditions: Readonly<Record<string, string>>) => {
    const { children, ...others } = runs(spec, undefined);
    return { ...others, children: [...children, { ...reporting(kind, conditions), ...scaler }] };
  };
  const later = (observed: ReturnType<typeof silent>, status: ModelServingStatus, at: number, spec = byQueueDepth) =>
    decide({ ...observed, resource: resourceOf(spec, { status }) }, at);

  test.each([
    ['a ScaledObject without a condition', byQueueDepth, 'ScaledObject', {}, /KEDA runs: kubectl get pods/],
    ['a ScaledObject of which KEDA knows nothing yet', byQueueDepth, 'ScaledObject', { Ready: 'Unknown' }, /KEDA runs/],
    ['a HorizontalPodAutoscaler', byCpu, 'HorizontalPodAutoscaler', {}, /kube-controller-manager runs/],
  ])('is told after a minute, without an event: %s', (_, spec, kind, conditions, words) => {
    const observed = silent(spec, kind, conditions);
    const early = decide(observed);
    expect([conditionOf(early.status, 'ScalingActive'), conditionOf(early.status, 'Ready')]).toEqual([
      'Unknown NotReported',
      'True Ready',
    ]);
    expect(early.requeueAt).toBe(START + MINUTE);
    const { status, requeueAt } = later(observed, early.status, START + MINUTE, spec);
    expect(conditionOf(status, 'ScalingActive')).toBe('False AutoscalerSilent');
    expect(conditionOf(status, 'Ready')).toBe('False AutoscalerSilent');
    expect(messageOf(status, 'Ready')).toMatch(words);
    expect(conditionOf(status, 'Available')).toBe('True Available');
    expect(requeueAt).toBeUndefined();
    expect(conditionOf(later(observed, status, START + MINUTE, spec).status, 'ScalingActive')).toBe(
      'False AutoscalerSilent',
    );
  });

  it('has a minute of its own, where it fell silent later', () => {
    const spoke = decide(runs(byQueueDepth, ['ScaledObject', { Ready: 'True' }])).status;
    const observed = silent(byQueueDepth, 'ScaledObject', { Ready: 'Unknown' });
    const { status, requeueAt } = later(observed, spoke, START + 60 * MINUTE);
    expect([conditionOf(status, 'ScalingActive'), requeueAt]).toEqual(['Unknown NotReported', START + 61 * MINUTE]);
  });

  it('is well once somebody answers', () => {
    const observed = silent(byQueueDepth, 'ScaledObject', {});
    const reported = later(observed, decide(observed).status, START + MINUTE).status;
    const answered = silent(byQueueDepth, 'ScaledObject', { Ready: 'True' });
    expect(conditionOf(later(answered, reported, START + 2 * MINUTE).status, 'Ready')).toBe('True Ready');
  });
});

it('without metrics-server, what to install is reported', () => {
  const scaler = reporting('HorizontalPodAutoscaler', {});
  const message =
    'the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)';
  const conditions = [{ type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric', message }];
  const children = [...runningChildren(byCpu), { ...scaler, slice: { status: { conditions } } }];
  const { status } = decide({ resource: resourceOf(byCpu), children, pods: [server(byCpu)] });
  expect(conditionOf(status, 'Ready')).toBe('False FailedGetResourceMetric');
  expect(messageOf(status, 'Ready')).toMatch(/pods\.metrics\.k8s\.io\)\. Install metrics-server/);
});

it('metrics-server has no part in what KEDA serves', () => {
  const message = 'unable to get external metric models/s0: the server is unable (get s0.external.metrics.k8s.io)';
  const conditions = [{ type: 'HPAActive', status: 'False', reason: 'FailedGetExternalMetric', message }];
  const scaler = { ...reporting('ScaledObject', {}), slice: { status: { conditions } } };
  const observed = { ...runs(byQueueDepth, undefined), children: [...runningChildren(byQueueDepth), scaler] };
  const ready = messageOf(decide(observed).status, 'Ready');
  expect(ready).toContain('Check that the server of spec.autoscaling.prometheus answers');
  expect(ready).not.toContain('metrics-server');
});

it('a service that is not to be scaled, or leaves, says nothing of scaling', () => {
  expect(conditionOf(decide(runs(shared, undefined)).status, 'ScalingActive')).toBeUndefined();
  const retired = decide(runs({ ...byCpu, retired: true }, ['HorizontalPodAutoscaler', { ScalingActive: 'False' }]));
  expect(conditionOf(retired.status, 'ScalingActive')).toBeUndefined();
});
