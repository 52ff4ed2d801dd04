import { describe, expect, test } from 'vitest';
import { check } from '../../../cli/doctor/checks/index.ts';
import type { Check, Observed } from '../../../cli/doctor/types.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { known, lease, WELL } from './support/doctor.ts';
import { live } from './support/objects.ts';

describe('whether an operator is at work', () => {
  const gone = known(undefined);
  const free = (renewTime: string): KubeObject =>
    live('coordination.k8s.io/v1', 'Lease', 'trunnion-operator', { spec: { holderIdentity: '', renewTime } });
  const serving = (observedGeneration: number, metadata: object = {}): KubeObject =>
    live('trunnion.dev/v1alpha1', 'ModelServing', 'llama', {
      metadata: { generation: 2, creationTimestamp: '2025-12-31T23:00:00Z', ...metadata },
      status: { phase: 'Running', observedGeneration, conditions: [] },
    });

  test.for<readonly [string, Partial<Observed>, Check['verdict'], RegExp]>([
    ['one that leads, installed here', {}, 'ok', /operator-a leads/],
    ['one that leads, and is installed elsewhere', { deployment: gone }, 'warn', /no Deployment/],
    ['one that was killed', { lease: known(lease('2025-12-31T23:37:10Z')) }, 'fail', /has not renewed it for 23m/],
    [
      'one that was killed, without a Deployment',
      { deployment: gone, lease: known(lease('2025-12-31T23:37:10Z')) },
      'fail',
      /23m/,
    ],
    [
      'one that was stopped an hour ago',
      { deployment: gone, lease: known(free('2025-12-31T23:00:00Z')) },
      'fail',
      /nobody has held its Lease for 1h/,
    ],
    ['one that is about to start', { lease: known(free('2026-01-01T00:00:00Z')) }, 'warn', /nobody holds its Lease/],
    ['none, and no resource', { deployment: gone, lease: gone }, 'fail', /no Deployment/],
    [
      'none that is seen, and resources that are looked at',
      { deployment: gone, lease: gone, resources: known([serving(2)]) },
      'warn',
      /no Deployment/,
    ],
    [
      'none that is seen, and a resource that nobody looks at',
      { deployment: gone, lease: gone, resources: known([serving(1)]) },
      'fail',
      /no Deployment/,
    ],
    [
      'one that leads, and can not do anything',
      { resources: known([serving(1)]) },
      'fail',
      /modelserving\/llama: nobody has looked at it since the last change, up to 1h ago/,
    ],
    [
      'one that leads, and a resource that is paused',
      { resources: known([serving(1, { annotations: { 'trunnion.dev/paused': 'Ada' } })]) },
      'ok',
      /leads/,
    ],
    [
      'one that leads, and a resource that has just changed',
      { resources: known([serving(1, { creationTimestamp: '2026-01-01T00:00:00Z' })]) },
      'ok',
      /leads/,
    ],
  ])('%s', ([, observed, worst, found]) => {
    const checks = check({ ...WELL, ...observed }).filter(({ about }) => about === 'Operator');
    const verdicts = new Set<string>(checks.map(({ verdict }) => verdict));
    expect(['fail', 'warn', 'ok'].find((verdict) => verdicts.has(verdict))).toBe(worst);
    expect(checks.map((each) => each.found).join('; ')).toMatch(found);
  });
});
