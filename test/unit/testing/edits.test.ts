import { expect, test } from 'vitest';
import { simulate } from '../../../testing/index.ts';
import { widget, type WidgetSpec } from '../../support/widget.ts';

const running = async (spec: Partial<WidgetSpec> = {}) => {
  const life = simulate(widget, { name: 'w', spec: { message: 'hello', replicas: 2, ...spec } });
  await life.rollOut();
  return life;
};

const without = (spec: WidgetSpec, field: keyof WidgetSpec): WidgetSpec =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => name !== field)) as unknown as WidgetSpec;

test('what somebody edits is put back, and an event says who did what', async () => {
  const life = await running();
  life.change('Deployment', { spec: { replicas: 5 } });
  expect((await life.settle()).writes).toEqual(['update Deployment/w', 'status Widget/w']);
  expect(life.object('Deployment')).toMatchObject({ spec: { replicas: 2 } });
  const event = life.events.find(({ reason }) => reason === 'EditReverted');
  expect(event?.message).toContain('spec.replicas was set to 5 by kubectl-edit');
});

test('a field inside a list is put back, and what others add beside it stays', async () => {
  const life = await running();
  life.change('Deployment', (deployment) => {
    const { containers } = (deployment['spec'] as Spec).template.spec;
    containers[0]!.image = 'example.com/other:2';
    containers.push({ name: 'sidecar', image: 'example.com/sidecar:1' });
  });
  await life.settle();
  const { spec } = life.object('Deployment');
  expect(spec?.template.spec?.containers.map(({ image }) => image)).toEqual([
    'example.com/widget:1',
    'example.com/sidecar:1',
  ]);
});

interface Spec {
  readonly template: { readonly spec: { readonly containers: { name: string; image: string }[] } };
}

test('a label that somebody adds is left alone, and costs no write', async () => {
  const life = await running();
  life.change('Service', { metadata: { labels: { team: 'a' } } });
  expect((await life.settle()).writes).toEqual([]);
  expect(life.object('Service')).toMatchObject({ metadata: { labels: { team: 'a' } } });
});

test('what somebody deletes is made again', async () => {
  const life = await running();
  const { uid } = life.object('Service').metadata;
  life.remove('Service');
  expect((await life.settle()).writes).toEqual(['create Service/w']);
  expect(life.object('Service').metadata.uid).not.toBe(uid);
  expect(life.events.at(-1)).toMatchObject({ reason: 'ChildRecreated' });
});

test('after a restart nothing is written, and a reverted edit is no longer told', async () => {
  const life = await running();
  life.restart();
  expect(await life.settle()).toMatchObject({ writes: [] });
  life.restart();
  life.change('Deployment', { spec: { replicas: 5 } });
  await life.settle();
  expect(life.object('Deployment')).toMatchObject({ spec: { replicas: 2 } });
  expect(life.events.map(({ reason }) => reason)).not.toContain('EditReverted');
});

test('a field that somebody else is to own passes to them at its present value', async () => {
  const life = await running();
  life.edit((before) => without(before, 'replicas'));
  await life.settle();
  expect(life.object('Deployment')).toMatchObject({ spec: { replicas: 2 } });
  life.change('Deployment', { spec: { replicas: 7 } });
  expect((await life.settle()).writes).toEqual(['status Widget/w']);
  expect(life.object('Deployment')).toMatchObject({ spec: { replicas: 7 } });
  life.edit((spec) => ({ ...spec, replicas: 1 }));
  await life.settle();
  expect(life.object('Deployment')).toMatchObject({ spec: { replicas: 1 } });
});

test('what is no longer wanted goes, and what outlives its resource stays', async () => {
  const life = await running({ keep: true });
  expect(life.children.map(({ kind }) => kind)).toContain('PersistentVolumeClaim');
  life.edit((spec) => ({ ...spec, service: false }));
  expect((await life.settle()).writes).toEqual(['status Widget/w', 'delete Service/w']);
  life.delete();
  await life.settle();
  expect(life.isGone).toBe(true);
  expect(life.objects().map(({ kind }) => kind)).toEqual(['PersistentVolumeClaim']);
});

test('a field that the manifest leaves out goes from the object, unless another holds it', async () => {
  const life = await running({ job: true, simulated: { 'example.com/a': 'b' } });
  expect(life.object('Job')).toMatchObject({
    spec: { template: { metadata: { annotations: { 'example.com/a': 'b' } } } },
  });
  const { uid } = life.object('Job').metadata;
  life.edit((before) => without(before, 'simulated'));
  await life.settle();
  // The Job is done: its template can't be changed, and its work is not done again.
  expect(life.object('Job').metadata.uid).toBe(uid);
});

test('a Job that runs, and can not be changed, is made again', async () => {
  const life = simulate(widget, { name: 'w', spec: { message: 'hello', replicas: 1, job: true } });
  await life.settle();
  const { uid } = life.object('Job').metadata;
  life.edit((spec) => ({ ...spec, simulated: { 'example.com/a': 'b' } }));
  const { writes } = await life.settle();
  expect(writes).toEqual(['status Widget/w', 'delete Job/w', 'create Job/w']);
  expect(life.object('Job').metadata.uid).not.toBe(uid);
});

test('a Job that fails is made again, and the status that says so is written first', async () => {
  const life = simulate(widget, { name: 'w', spec: { message: 'hello', replicas: 1, job: true } });
  await life.settle();
  life.fail('Job', { message: 'no space left' });
  const { writes } = await life.settle();
  expect(writes).toEqual(['status Widget/w', 'delete Job/w', 'create Job/w']);
  expect(life.status).toMatchObject({ retries: 1 });
});
