import { expect, test } from 'vitest';
import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import { modelServing, type ModelServingResource } from '../../../operator/kinds/model-serving/index.ts';
import { TRUNNION } from '../../../operator/trunnion.ts';
import { killAtEachWrite, simulate, type Life } from '../../../testing/index.ts';
import { shared } from '../kinds/model-serving/support.ts';

const storage = { size: '10Gi', accessMode: 'ReadWriteMany', retain: false, storageClassName: 'fast' } as const;
const spec: ModelServingSpec = { ...shared, storage };
const given = { name: 'llama', namespace: 'models', spec, identity: TRUNNION };

const names = (life: Life<ModelServingResource>, kind: string): readonly string[] =>
  life.children.filter((child) => child.kind === kind).map(({ name }) => name);

const withUri = (uri: string) => (before: ModelServingSpec) => ({ ...before, model: { uri } });

test('a ModelServing goes from nothing to Ready, and serves the old model until the new one is fetched', async () => {
  const life = simulate(modelServing, given);
  await life.settle();
  expect(life.status.phase).toBe('Pending');
  const [fetch] = names(life, 'Job');
  expect(life.waiting).toEqual(['Deployment llama waits until ready: fetch']);
  await life.rollOut();
  expect(life.status.phase).toBe('Running');
  expect(life.condition('Ready').status).toBe('True');

  life.edit(withUri('s3://models/second/'));
  await life.settle();
  expect(life.status.phase).toBe('Updating');
  expect(life.condition('Available').status).toBe('True');
  expect(names(life, 'Job')).toHaveLength(2);
  const next = names(life, 'Job').find((name) => name !== fetch) ?? '';

  life.fail(`Job/${next}`, { message: 'nothing is there', exitCode: 66 });
  await life.settle();
  expect(life.condition('Available').status).toBe('True');
  expect(life.condition('WeightsReady').message).toContain('s3://models/second/');

  life.edit(withUri('s3://models/third/'));
  await life.rollOut();
  expect(life.status).toMatchObject({ phase: 'Running', weights: { uri: 's3://models/third/' } });
  expect(names(life, 'PersistentVolumeClaim')).toHaveLength(1);
  expect(names(life, 'Job')).toHaveLength(1);
});

test('a ModelServing that is deleted drains first', async () => {
  const life = simulate(modelServing, given);
  await life.rollOut();
  life.delete();
  await life.settle();
  expect(life.isGone).toBe(false);
  expect(life.status.phase).toBe('Draining');
  expect(names(life, 'Service')).toEqual([]);
  await life.advance('10m');
  expect(life.isGone).toBe(true);
  expect(life.objects()).toEqual([]);
});

test('the life of a ModelServing is the same whenever its operator was killed', async () => {
  const { writes } = await killAtEachWrite(modelServing, given, async (life) => {
    await life.rollOut();
    life.edit(withUri('s3://models/second/'));
    await life.rollOut();
    life.delete();
    await life.advance('10m');
  });
  expect(writes).toBeGreaterThan(15);
});
