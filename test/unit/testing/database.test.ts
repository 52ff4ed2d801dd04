import { ApiObject } from 'cdk8s';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineKind } from '../../../operator/index.ts';
import { killAtEachWrite, simulate } from '../../../testing/index.ts';

interface DatabaseStatus {
  readonly host?: string;
}

/** A program that waits for the database that another operator makes for it. */
const Shop = defineKind({
  group: 'acme.dev',
  kind: 'Shop',
  spec: z.strictObject({ image: z.string() }),
  children: [
    'v1/ConfigMap',
    {
      group: 'db.example.com',
      version: 'v1',
      kind: 'Database',
      plural: 'databases',
      keep: ['status.host'],
      ready: ({ status }) => (status as DatabaseStatus | undefined)?.host !== undefined,
    },
  ],
  reconcile: ({ child }) => {
    const { host } = (child('Database')?.slice['status'] ?? {}) as DatabaseStatus;
    return { state: host === undefined ? {} : { host } };
  },
  construct: (scope, { name, state }) => {
    const database = new ApiObject(scope, 'database', {
      apiVersion: 'db.example.com/v1',
      kind: 'Database',
      metadata: { name },
      spec: { size: 'small' },
    });
    const config = new ApiObject(scope, 'config', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { host: state['host'] ?? '' },
    });
    config.node.addDependency(database);
  },
});

const shop = { name: 'shop', spec: { image: 'shop:1' } };

test('a child of another operator is ready by the rule that the kind has for it', async () => {
  const life = simulate(Shop, shop);
  await life.settle();
  expect(life.children).toEqual([{ kind: 'Database', name: 'shop', ready: false }]);
  expect(life.waiting).toEqual(['ConfigMap shop waits until ready: database']);
  expect(() => life.ready('Database')).toThrow(
    "nothing here knows when Database/shop is ready: give it the status that its rule asks for, as in life.become('Database/shop', { status: { … } })",
  );
  life.become('Database', { status: { host: 'db-1.example.com' } });
  await life.settle();
  expect(life.object('ConfigMap').data).toEqual({ host: 'db-1.example.com' });
  expect(life.condition('Ready').status).toBe('True');

  life.become('Database', { status: { host: 'db-2.example.com' } });
  await life.settle();
  expect(life.object('ConfigMap').data).toEqual({ host: 'db-2.example.com' });
});

test('what waits for another operator ends the same whenever its own was killed', async () => {
  await killAtEachWrite(Shop, shop, async (life) => {
    await life.settle();
    life.become('Database', { status: { host: 'db-1.example.com' } });
    await life.settle();
    life.remove('Database');
    await life.settle();
    life.become('Database', { status: { host: 'db-2.example.com' } });
    await life.settle();
  });
});

test('a status that the CRD does not allow is told with its path', async () => {
  const Careless = defineKind({
    group: 'acme.dev',
    kind: 'Careless',
    spec: z.strictObject({}),
    status: z.strictObject({ count: z.int().max(3).optional() }),
    children: ['v1/ConfigMap'],
    reconcile: () => ({ status: { count: 4 } }),
    construct: () => undefined,
  });
  await expect(simulate(Careless, { spec: {} }).settle()).rejects.toThrow(
    'Careless default/example: the CRD does not allow its status: status.count: ',
  );
});
