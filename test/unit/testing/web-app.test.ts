import { expect, test } from 'vitest';
import { killAtEachWrite, simulate, type Life } from '../../../testing/index.ts';
import { WebApp } from './web-app.ts';

const web = { name: 'web', spec: { image: 'web' } };

test('a kind of others rolls out in its order, by the conditions that all kinds have', async () => {
  const life = simulate(WebApp, web);
  const { writes, passes } = await life.rollOut();
  expect(writes.filter((write) => write !== 'status WebApp/web')).toEqual([
    'create Job/web-migrate-1',
    'create Service/web',
    'create Deployment/web',
  ]);
  expect(writes.length).toBeLessThan(7);
  expect(passes).toBeLessThan(8);
  expect(life.resource.spec).toEqual({ image: 'web', replicas: 1, version: '1' });
  expect(life.condition('Ready')).toMatchObject({ status: 'False', message: expect.stringContaining('db') as string });
  life.answer('db', { host: 'db.example.com' });
  await life.settle();
  expect(life.status.url).toBe('http://web.default.svc');
  for (const type of ['Accepted', 'Progressing', 'Available', 'Ready']) {
    expect(life.condition(type).status).toBe('True');
  }
});

test('the first example of a kind is its spec where a test gives none', async () => {
  const life = simulate(WebApp);
  await life.rollOut();
  expect(life.object('Deployment')).toMatchObject({ metadata: { name: 'example', namespace: 'default' } });
});

test('what is asked is answered by a value, by a function of what is asked, or not at all', async () => {
  const life = simulate(WebApp, web);
  await life.rollOut();
  expect(life.queries).toMatchObject([{ id: 'db', type: 'ask', input: { of: 'web' } }]);
  expect(life.status.database).toBeUndefined();
  life.answer('db', { host: 'db.example.com' });
  expect((await life.settle()).writes).toEqual(['status WebApp/web']);
  expect(life.status.database).toBe('db.example.com');
  life.answer('db', ({ of }: { readonly of: string }) => ({ host: `${of}.db` }));
  await life.settle();
  expect(life.status.database).toBe('web.db');
  life.answerError('db', 'no route to host');
  await life.settle();
  expect(life.condition('Ready')).toMatchObject({ status: 'False', reason: 'AskFailed' });
  expect(life.condition('Ready').message).toContain('no route to host');
  life.restart();
  life.answer('db', { host: 'db.example.com' });
  await life.settle();
  expect(life.condition('Ready').status).toBe('True');
});

test('what the CRD refuses is refused, at the beginning and in an edit, and nothing is changed', async () => {
  const spec = { image: 'web', replicas: -1, versoin: '2' };
  expect(() => simulate(WebApp, { ...web, spec })).toThrow('spec.replicas');
  expect(() => simulate(WebApp, { ...web, spec })).toThrow('did you mean "version"');
  const life = simulate(WebApp, web);
  expect(() => life.edit((before) => ({ ...before, replicas: -1 }))).toThrow(
    'the API server refuses WebApp default/web',
  );
  expect(life.resource.metadata.generation).toBe(1);
  life.edit(() => ({ image: 'other' }));
  expect(life.resource.spec).toEqual({ image: 'other', replicas: 1, version: '1' });
  expect(life.resource.metadata.generation).toBe(2);
});

test('a migration that fails keeps what runs, and is told', async () => {
  const life = simulate(WebApp, web);
  await life.rollOut();
  life.edit((spec) => ({ ...spec, version: '2' }));
  await life.settle();
  life.fail('Job/web-migrate-2', { message: 'column "email" exists' });
  await life.rollOut();
  expect(life.waiting).toContain('Deployment web waits until ready: migration');
  expect(life.object('Deployment')).toMatchObject({ metadata: { generation: 1 }, status: { readyReplicas: 1 } });
  expect(life.condition('Ready')).toMatchObject({ status: 'False', reason: 'JobFailed' });
});

test('an operator of others ends the same life in the same way whenever it was killed', async () => {
  const scenario = async (life: Life<never>) => {
    await life.rollOut();
    life.answer('db', { host: 'db.example.com' });
    await life.rollOut();
  };
  await killAtEachWrite(WebApp, web, async (life) => {
    await scenario(life as unknown as Life<never>);
    life.edit((spec) => ({ ...spec, version: '2', replicas: 3 }));
    await life.rollOut();
    life.delete();
    await life.settle();
  });
});

test('an answer that no ask and no query can have is told', async () => {
  const life = simulate(WebApp, web);
  life.answer('db', () => Promise.resolve({ host: 'late' }));
  await life.settle().catch(() => undefined);
  await expect(life.settle()).rejects.toThrow('the answer to db must be plain data, as JSON has it');
});
