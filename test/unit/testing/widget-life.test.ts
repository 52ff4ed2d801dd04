import { expect, test } from 'vitest';
import { simulate } from '../../../testing/index.ts';
import { widget } from '../../support/widget.ts';

const START = '2026-01-01T00:00:00Z';

test('a life goes from nothing to ready, each child after those that it waits for', async () => {
  const life = simulate(widget, { name: 'w', spec: { message: 'hello', replicas: 2, job: true }, now: START });
  await life.settle();
  expect(life.children).toEqual([
    { kind: 'ConfigMap', name: 'w', ready: true },
    { kind: 'Job', name: 'w', ready: false },
    { kind: 'Service', name: 'w', ready: true },
  ]);
  expect(life.waiting).toEqual(['Deployment w waits until ready: job']);
  expect(life.status).toMatchObject({ phase: 'Deploying', observedGeneration: 1 });

  life.ready('Job');
  await life.settle();
  expect(life.condition('Ready')).toMatchObject({ status: 'False', reason: 'Waiting', lastTransitionTime: START });

  await life.advance('30s');
  life.ready('Deployment');
  await life.settle();
  expect(life.status.phase).toBe('Running');
  expect(life.condition('Ready')).toMatchObject({ status: 'True', lastTransitionTime: '2026-01-01T00:00:30Z' });
  expect(life.objects('Pod')).toHaveLength(3);
  expect(life.writes).toEqual([
    'patch Widget/w',
    'create ConfigMap/w',
    'create Job/w',
    'create Service/w',
    'status Widget/w',
    'create Deployment/w',
    'status Widget/w',
  ]);
});
