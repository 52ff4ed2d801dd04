import { describe, expect, it, test } from 'vitest';
import type { ModelServingSpec } from '../../../../constructs/model-serving/spec.ts';
import {
  claim,
  decide,
  deployment,
  job,
  resourceOf,
  conditionOf,
  messageOf,
  server,
  service,
  shared,
  unschedulable,
  URI,
} from './support.ts';

const BUSY = (resource: string) =>
  `0/2 nodes are available: 2 Insufficient ${resource}. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.`;

/** An update whose new pod finds no place, beside pods of the earlier template. */
const rolling = (earlier: number, spec: ModelServingSpec = shared, resource = 'nvidia.com/gpu', over = {}) => {
  const old = (name: string) =>
    server(spec, { name, uid: name, labels: { ...server(spec).labels, 'pod-template-hash': 'old' }, ...over });
  return decide({
    resource: resourceOf(spec),
    children: [
      claim(URI),
      job(URI, 'Complete'),
      deployment({ desired: earlier, replicas: earlier + 1, updated: 1, ready: earlier }),
      service(),
    ],
    pods: [
      server(spec, unschedulable(BUSY(resource))),
      ...Array.from({ length: earlier }, (_, at) => old(`old-${at}`)),
    ],
  }).status;
};

describe('an update whose own pods hold all GPUs', () => {
  it('says so, and by which field it makes room', () => {
    expect(conditionOf(rolling(2), 'Progressing')).toBe('True InsufficientGPUs');
    expect(messageOf(rolling(2), 'Progressing')).toMatch(
      /2 pods of its own earlier template, which stay until a new one is ready, hold what it needs\. .*set rollout\.maxSurge: 0/,
    );
    expect(messageOf(rolling(1), 'Progressing')).toMatch(/A pod of its own earlier template.*rollout\.maxSurge: 0/);
  });

  it('says so of CPUs as well', () => {
    expect(messageOf(rolling(1, shared, 'cpu'), 'Progressing')).toMatch(/own earlier template.*rollout\.maxSurge: 0/);
  });

  test.each([
    ['its own pods leave already', rolling(1, shared, 'nvidia.com/gpu', { deleting: true })],
    ['its own pods hold other GPUs', rolling(1, shared, 'nvidia.com/gpu', { devices: 'nvidia.com/gpu NVIDIA-L4' })],
    ['it has maxSurge 0', rolling(1, { ...shared, rollout: { maxSurge: 0, maxUnavailable: 1 } })],
  ])('says nothing of it where %s', (_why, status) => {
    expect(messageOf(status, 'Progressing')).toMatch(/it continues by itself/);
    expect(messageOf(status, 'Progressing')).not.toContain('maxSurge');
  });
});
