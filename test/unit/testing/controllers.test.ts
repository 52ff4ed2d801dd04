import { expect, test } from 'vitest';
import { identityFor } from '../../../operator/engine/api/index.ts';
import { observeChild, observePod, observerOf } from '../../../operator/engine/observe/index.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import {
  failedStatus,
  garbageIn,
  podStatus,
  podsFor,
  readyStatus,
} from '../../../testing/simulate/controllers/index.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const identity = identityFor({ name: 'acme', domain: 'acme.dev' });
const observer = observerOf(identity, []);

const live = (apiVersion: string, kind: string, spec: object, metadata: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: {
    name: 'a',
    namespace: 'ns',
    uid: 'uid-a',
    resourceVersion: '1',
    generation: 3,
    creationTimestamp: '',
    ...metadata,
  },
  spec,
});

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'a:1' }] } };

test.for([
  ['apps/v1', 'Deployment', { replicas: 3, template }, 3],
  ['apps/v1', 'Deployment', { replicas: 0, template }, 0],
  ['apps/v1', 'Deployment', { template }, 1],
  ['apps/v1', 'StatefulSet', { replicas: 2, template }, 2],
  ['apps/v1', 'DaemonSet', { template }, 1],
  ['batch/v1', 'Job', { template }, 1],
  ['batch/v1', 'Job', { template, parallelism: 2, completions: 5 }, 2],
  ['batch/v1', 'Job', { template, suspend: true }, 0],
  ['v1', 'ConfigMap', {}, 0],
] as const)('%s %s of %j is ready with %i pods', ([apiVersion, kind, spec, count]) => {
  const object = live(apiVersion, kind, spec);
  const pods = podsFor(object);
  expect(pods).toHaveLength(count);
  for (const pod of pods) {
    expect(pod.metadata).toMatchObject({ labels: { app: 'a' }, ownerReferences: [{ uid: 'uid-a' }] });
  }
  const ready = { ...object, status: readyStatus(object, NOW) } as KubeObject;
  expect(observeChild(ready, observer).ready).toBe(true);
});

test.for([
  ['apps/v1', 'Deployment', { replicas: 3, template }],
  ['apps/v1', 'StatefulSet', { replicas: 2, template }],
  ['batch/v1', 'Job', { template }],
] as const)('%s %s that failed is not ready', ([apiVersion, kind, spec]) => {
  const object = live(apiVersion, kind, spec);
  const failed = { ...object, status: failedStatus(object, {}, NOW) } as KubeObject;
  expect(observeChild(failed, observer).ready).toBe(false);
});

test('a Job and a Deployment tell why they failed', () => {
  const cause = { reason: 'DeadlineExceeded', message: 'it took too long' };
  expect(failedStatus(live('batch/v1', 'Job', {}), cause, NOW)).toMatchObject({
    conditions: [{ type: 'FailureTarget' }, { type: 'Failed', status: 'True', ...cause }],
  });
  expect(failedStatus(live('apps/v1', 'Deployment', {}), cause, NOW)).toMatchObject({
    conditions: [
      { type: 'Available', status: 'False' },
      { type: 'Progressing', status: 'False', ...cause },
    ],
  });
  expect(failedStatus(live('db.example.com/v1', 'Database', {}), cause, NOW)).toMatchObject({
    conditions: [{ type: 'Ready', status: 'False', ...cause }],
  });
  expect(failedStatus(live('v1', 'ConfigMap', {}), cause, NOW)).toBeUndefined();
});

test.for([
  ['v1', 'Service', { type: 'LoadBalancer' }, { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } }],
  ['networking.k8s.io/v1', 'Ingress', {}, { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } }],
  [
    'v1',
    'PersistentVolumeClaim',
    { resources: { requests: { storage: '1Gi' } } },
    { phase: 'Bound', capacity: { storage: '1Gi' } },
  ],
  ['db.example.com/v1', 'Database', {}, { observedGeneration: 3, conditions: [{ type: 'Ready', status: 'True' }] }],
  [
    'gateway.networking.k8s.io/v1',
    'HTTPRoute',
    { parentRefs: [{ name: 'gw' }] },
    { parents: [{ parentRef: { name: 'gw' } }] },
  ],
] as const)('%s %s of %j gets its status', ([apiVersion, kind, spec, status]) => {
  expect(readyStatus(live(apiVersion, kind, spec), NOW)).toMatchObject(status);
});

test('an indexed Job tells which of its indexes are complete, and gives each pod its own', () => {
  const job = live('batch/v1', 'Job', { template, completionMode: 'Indexed', parallelism: 3, completions: 3 });
  expect(readyStatus(job, NOW)).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
  expect(podsFor(job).map(({ metadata }) => metadata)).toMatchObject(
    ['0', '1', '2'].map((index) => ({ labels: { 'batch.kubernetes.io/job-completion-index': index } })),
  );
});

test('a pod reports its containers as they are', () => {
  const pod = live('v1', 'Pod', {
    initContainers: [{ name: 'first' }, { name: 'sidecar', restartPolicy: 'Always' }],
    containers: [{ name: 'main', image: 'a:1' }],
  });
  const seen = (fate: Parameters<typeof podStatus>[1]) =>
    observePod({ ...pod, status: podStatus(pod, fate, NOW) }, identity);
  expect(seen({ type: 'running' })).toMatchObject({
    phase: 'Running',
    containers: [
      { name: 'first', terminated: { exitCode: 0 } },
      { name: 'sidecar', ready: true },
      { name: 'main', ready: true, started: true },
    ],
  });
  expect(seen({ type: 'succeeded' }).phase).toBe('Succeeded');
  expect(seen({ type: 'failed', exitCode: 137, reason: 'OOMKilled', message: '' })).toMatchObject({
    phase: 'Failed',
    containers: [{}, {}, { terminated: { exitCode: 137, reason: 'OOMKilled' } }],
  });
});

test('garbage is what has lost all of its owners', () => {
  const owned = (uid: string, ...owners: readonly string[]): KubeObject =>
    live('v1', 'ConfigMap', {}, { uid, ownerReferences: owners.map((owner) => ({ uid: owner })) });
  const objects = [owned('a'), owned('b', 'a'), owned('c', 'gone'), owned('d', 'gone', 'a'), owned('e', 'c')];
  expect(garbageIn(objects).map(({ metadata }) => metadata.uid)).toEqual(['c']);
});
