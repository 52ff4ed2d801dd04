import { expect, test } from 'vitest';
import { simulate } from '../../../testing/index.ts';
import { widget } from '../../support/widget.ts';

const spec = { message: 'hello', replicas: 1 };

test('an object of the same name that somebody else made is left as it is, and the status says so', async () => {
  const life = simulate(widget, { name: 'w', spec });
  life.create({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'w' }, spec: { ports: [{ port: 1 }] } });
  await life.settle();
  expect(life.failures).toMatchObject([{ child: 'service', reason: 'NameTaken' }]);
  expect(life.condition('Ready')).toMatchObject({ status: 'False', reason: 'NameTaken' });
  expect(life.object('Service')).toMatchObject({ spec: { ports: [{ port: 1 }] } });
  life.remove('Service');
  await life.advance('5m');
  expect(life.failures).toEqual([]);
});

test('what the API server refuses is tried again, later each time, and what does not wait for it is made', async () => {
  const life = simulate(widget, { name: 'w', spec });
  life.refuse('Service', { message: 'exceeded quota: services' });
  await life.settle();
  expect(life.children.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Deployment']);
  expect(life.failures).toMatchObject([{ child: 'service', reason: 'QuotaExceeded' }]);
  const { passes } = await life.advance('1h');
  expect(passes).toBeGreaterThan(10);
  expect(passes).toBeLessThan(30);
  life.allow('Service');
  expect((await life.settle()).writes).toEqual([]);
  expect((await life.advance('5m')).writes).toContain('create Service/w');
});

test('where nothing of the resource may be written nothing is made, and the operator tries again', async () => {
  const life = simulate(widget, { name: 'w', spec });
  life.refuse('Widget', { status: 503, message: 'etcd has no leader' });
  await life.settle();
  expect({ status: life.status, children: life.children, writes: life.writes }).toEqual({
    status: {},
    children: [],
    writes: [],
  });
  life.allow('Widget');
  await life.advance('2s');
  expect(life.children).toHaveLength(3);
});

test('a type that is not served is told as such, and all else works', async () => {
  const life = simulate(widget, { name: 'w', spec: { ...spec, gadget: true }, notServed: ['Gadget'] });
  await life.settle();
  expect(life.failures).toMatchObject([{ child: 'gadget', reason: 'NotServed' }]);
});

test('a resource is held by its finalizer until its end is prepared, and its children go after it', async () => {
  const life = simulate(widget, { name: 'w', spec });
  await life.rollOut();
  life.delete();
  expect(life.resource.metadata.deletionTimestamp).toBeDefined();
  const { writes } = await life.settle();
  expect(writes).toEqual(['status Widget/w', 'delete Service/w', 'patch Widget/w']);
  expect(life.isGone).toBe(true);
  expect(life.objects()).toEqual([]);
  expect(() => life.status).toThrow('Widget default/w is gone');
});

test('a resource that is paused is left alone', async () => {
  const life = simulate(widget, { name: 'w', spec });
  await life.rollOut();
  life.annotate({ 'test.trunnion.dev/paused': 'I look at it' });
  await life.settle();
  life.change('Deployment', { spec: { replicas: 9 } });
  expect((await life.settle()).writes).toEqual([]);
  life.annotate({ 'test.trunnion.dev/paused': null });
  await life.settle();
  expect(life.object('Deployment')).toMatchObject({ spec: { replicas: 1 } });
});

test('the same life has the same UIDs, and another object of the same name has another', async () => {
  const both = [simulate(widget, { name: 'w', spec }), simulate(widget, { name: 'w', spec })];
  for (const life of both) await life.rollOut();
  const [one, other] = both.map((life) => life.objects());
  expect(one).toEqual(other);
});

test('a life takes few passes', async () => {
  const life = simulate(widget, { name: 'w', spec: { ...spec, job: true, keep: true } });
  const { passes, writes } = await life.rollOut();
  expect(writes).toHaveLength(8);
  expect(passes).toBeLessThan(12);
});

test('a workload starts, crashes and becomes ready, and its pods with it', async () => {
  const life = simulate(widget, { name: 'w', spec: { ...spec, replicas: 2 } });
  await life.settle();
  const states = () =>
    life
      .objects('Pod')
      .map(({ status }) =>
        status?.containerStatuses?.map(({ ready, state }) => [ready, ...Object.keys(state ?? {})].join(' ')),
      );
  expect(states()).toEqual([]);
  life.start('Deployment');
  expect(states()).toEqual([['false running'], ['false running']]);
  life.fail('Deployment', { exitCode: 137 });
  expect(states()).toEqual([['false waiting'], ['false waiting']]);
  await life.settle();
  expect(life.condition('Ready').status).toBe('False');
  life.ready('Deployment');
  expect(states()).toEqual([['true running'], ['true running']]);
  life.edit((before) => ({ ...before, replicas: 1 }));
  await life.rollOut();
  expect(states()).toHaveLength(1);
});

test('pods are objects like others: one fails, one is deleted, one is not ready', async () => {
  const life = simulate(widget, { name: 'w', spec: { ...spec, replicas: 3, job: true } });
  await life.rollOut();
  const pods = life.objects('Pod').map(({ metadata }) => `Pod/${metadata.name}`);
  const [job = '', first = '', second = '', third = ''] = pods;
  life.fail(job, { exitCode: 3 });
  life.fail(first);
  life.start(second);
  life.remove(third);
  expect(life.object(job)).toMatchObject({ status: { phase: 'Failed' } });
  expect(life.object(first)).toMatchObject({ status: { phase: 'Running', containerStatuses: [{ restartCount: 3 }] } });
  expect(life.objects('Pod')).toHaveLength(3);
  // Its Deployment makes another one.
  await life.rollOut();
  expect(life.objects('Pod')).toHaveLength(4);
});
