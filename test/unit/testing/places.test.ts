import { ApiObject } from 'cdk8s';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineKind, manage } from '../../../operator/index.ts';
import { killAtEachWrite, simulate } from '../../../testing/index.ts';

const object = (apiVersion: string, kind: string, metadata: object, rest: object = {}) => ({
  apiVersion,
  kind,
  metadata,
  ...rest,
});

/** One of the cluster, which makes a namespace and something in it. */
const Team = defineKind({
  group: 'acme.dev',
  kind: 'Team',
  scope: 'Cluster',
  spec: z.strictObject({ owner: z.string() }),
  construct: (scope, { name, spec }) => {
    const namespace = new ApiObject(scope, 'namespace', object('v1', 'Namespace', { name: `team-${name}` }));
    const config = new ApiObject(
      scope,
      'config',
      object('v1', 'ConfigMap', { name: 'team', namespace: `team-${name}` }, { data: { owner: spec.owner } }),
    );
    config.node.addDependency(namespace);
  },
});

/** One in a namespace, which shows something in another, and keeps something when it goes. */
const Page = defineKind({
  group: 'acme.dev',
  kind: 'Page',
  spec: z.strictObject({ text: z.string(), scaled: z.boolean().default(false) }),
  construct: (scope, { name, namespace, spec }) => {
    const data = { text: spec.text };
    new ApiObject(scope, 'here', object('v1', 'ConfigMap', { name }, { data }));
    new ApiObject(
      scope,
      'there',
      object('v1', 'ConfigMap', { name: `${namespace}-${name}`, namespace: 'web' }, { data }),
    );
    const claim = new ApiObject(
      scope,
      'claim',
      object('v1', 'PersistentVolumeClaim', { name }, { spec: { resources: { requests: { storage: '1Gi' } } } }),
    );
    manage(claim, { retain: true });
    const first = new ApiObject(scope, 'first', object('v1', 'ConfigMap', { name: `${name}-first` }, { data }));
    manage(first, { createOnly: true });
    const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'a:1' }] } };
    const replicas = spec.scaled ? {} : { replicas: 2 };
    const deployment = new ApiObject(
      scope,
      'deployment',
      object(
        'apps/v1',
        'Deployment',
        { name },
        { spec: { ...replicas, selector: { matchLabels: { app: name } }, template } },
      ),
    );
    if (spec.scaled) manage(deployment, { unmanagedFields: ['spec.replicas'] });
  },
});

const page = { name: 'home', namespace: 'team', spec: { text: 'hello' } };

test('a resource of the cluster has children wherever they lie', async () => {
  const life = simulate(Team, { name: 'a', spec: { owner: 'me' } });
  await life.rollOut();
  expect(life.condition('Ready').status).toBe('True');
  expect(life.object('Namespace').metadata).not.toHaveProperty('namespace');
  expect(life.object('ConfigMap')).toMatchObject({ metadata: { namespace: 'team-a' }, data: { owner: 'me' } });
  life.delete();
  await life.settle();
  expect(life.objects()).toEqual([]);
});

test('a child in another namespace goes with its resource, though no garbage collector finds it', async () => {
  const life = simulate(Page, page);
  await life.rollOut();
  expect(life.object('ConfigMap/web/team-home').metadata).not.toHaveProperty('ownerReferences');
  life.change('ConfigMap/web/team-home', { data: { text: 'mine' } });
  await life.settle();
  expect(life.object('ConfigMap/web/team-home')).toMatchObject({ data: { text: 'hello' } });
  life.delete();
  await life.settle();
  expect(life.isGone).toBe(true);
  expect(life.objects().map(({ kind }) => kind)).toEqual(['PersistentVolumeClaim']);
});

test('what is made only once stays as it was, and what others scale is left to them', async () => {
  const life = simulate(Page, page);
  await life.rollOut();
  life.edit((spec) => ({ ...spec, text: 'goodbye', scaled: true }));
  await life.rollOut();
  expect(life.object('ConfigMap/home-first')).toMatchObject({ data: { text: 'hello' } });
  expect(life.object('ConfigMap/team/home')).toMatchObject({ data: { text: 'goodbye' } });
  expect(life.object('Deployment')).toMatchObject({ spec: { replicas: 2 } });
  life.change('Deployment', { spec: { replicas: 7 } });
  await life.rollOut();
  expect(life.object('Deployment')).toMatchObject({ spec: { replicas: 7 } });
  expect(life.condition('Ready').status).toBe('True');
});

test('wherever children lie, a life ends the same whenever its operator was killed', async () => {
  await killAtEachWrite(Page, page, async (life) => {
    await life.rollOut();
    life.edit((spec) => ({ ...spec, text: 'goodbye', scaled: true }));
    await life.rollOut();
    life.delete();
    await life.settle();
  });
});
