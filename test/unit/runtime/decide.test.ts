import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Answer, DesiredState, Failure, ObservedChild, ObservedPod } from '../../../operator/engine/api/index.ts';
import { namedBy } from '../../../operator/engine/api/index.ts';
import { snapshotFrom } from '../../../operator/engine/observe/index.ts';
import { defineKind } from '../../../operator/runtime/index.ts';
import { deployment, resourceOf, WebApp } from '../../support/web-app.ts';

const RESOURCE = resourceOf({ image: 'nginx', replicas: 2 });

interface World {
  readonly children?: readonly Partial<ObservedChild>[];
  readonly pods?: readonly ObservedPod[];
  readonly failures?: readonly Failure[];
  readonly answers?: Readonly<Record<string, Answer>>;
}

const READY = { status: { replicas: 2, readyReplicas: 2, conditions: [{ type: 'Available', status: 'True' }] } };

/** A child as it was rendered, live. */
const live = (kind: string, change: Partial<ObservedChild> = {}): ObservedChild => ({
  apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
  kind,
  namespace: 'shop',
  name: 'web',
  uid: kind,
  resourceVersion: '1',
  ownerUid: 'u',
  createdAt: 0,
  deleting: false,
  digest: kind,
  owns: [],
  ready: true,
  slice: kind === 'Deployment' ? READY : {},
  ...(kind === 'Deployment' && { podLabels: { app: 'web', 'acme.dev/name': 'web' } }),
  ...change,
});

/** Digests are the kinds of the objects. */
const desired = (): readonly DesiredState[] =>
  WebApp.render(RESOURCE, {}).map(({ manifest, ...child }) => ({
    ...child,
    object: namedBy(manifest),
    digest: manifest.kind,
  }));

const decided = ({ children = [], pods = [], failures = [], answers = {} }: World) =>
  WebApp.reconcile(
    snapshotFrom({
      resource: RESOURCE as never,
      children: children.map((child) => child as ObservedChild),
      pods,
      failures,
      answers,
      desired,
    }),
    0,
  );

const reasons = (world: World) =>
  Object.fromEntries(decided(world).conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]));

const both = (change: Partial<ObservedChild> = {}) => [live('Deployment', change), live('Service')];

const crashing = {
  namespace: 'shop',
  name: 'web-1',
  uid: 'p',
  labels: { 'pod-template-hash': 'h' },
  annotations: {},
  createdAt: 0,
  deleting: false,
  phase: 'Pending',
  conditions: [],
  containers: [
    {
      name: 'web',
      init: false,
      ready: false,
      started: false,
      restarts: 0,
      image: 'ngnix',
      waiting: { reason: 'ImagePullBackOff', message: 'not found' },
    },
  ],
} satisfies ObservedPod;

describe('what is said of a resource whose kind decides nothing', () => {
  const rolling = {
    ready: false,
    slice: { status: { readyReplicas: 1, conditions: [{ type: 'Available', status: 'True' }] } },
  };
  const starting = { ready: false, slice: { status: { conditions: [{ type: 'Available', status: 'False' }] } } };
  it.each<readonly [string, World, object]>([
    [
      'before anything is made',
      {},
      {
        Accepted: 'True Accepted',
        Progressing: 'True Progressing',
        Available: 'False Progressing',
        Ready: 'False Progressing',
      },
    ],
    [
      'once all is there, as wanted, and ready',
      { children: both() },
      { Accepted: 'True Accepted', Progressing: 'True Complete', Available: 'True Available', Ready: 'True Ready' },
    ],
    [
      'while its pods start',
      { children: both(starting) },
      {
        Accepted: 'True Accepted',
        Progressing: 'True Progressing',
        Available: 'False Progressing',
        Ready: 'False Progressing',
      },
    ],
    [
      'while they are replaced, and older ones run',
      { children: both(rolling) },
      {
        Accepted: 'True Accepted',
        Progressing: 'True Progressing',
        Available: 'True Available',
        Ready: 'False Progressing',
      },
    ],
    [
      'while a child is not yet as wanted',
      { children: both({ digest: 'before' }) },
      {
        Accepted: 'True Accepted',
        Progressing: 'True Progressing',
        Available: 'True Available',
        Ready: 'False Progressing',
      },
    ],
    [
      'where a child is being deleted',
      { children: [live('Deployment'), live('Service', { deleting: true })] },
      {
        Accepted: 'True Accepted',
        Progressing: 'True Progressing',
        Available: 'True Available',
        Ready: 'False Progressing',
      },
    ],
    [
      'where a child can not be written',
      { children: [live('Deployment')], failures: [{ child: 'service', reason: 'Forbidden', message: 'no' }] },
      {
        Accepted: 'True Accepted',
        Progressing: 'False Forbidden',
        Available: 'True Available',
        Ready: 'False Forbidden',
      },
    ],
    [
      'while the API server is away',
      { children: both(), failures: [{ child: 'service', reason: 'ApiError', message: 'away' }] },
      { Accepted: 'True Accepted', Progressing: 'True ApiError', Available: 'True Available', Ready: 'False ApiError' },
    ],
    [
      'where its pods can not run',
      { children: both(starting), pods: [crashing] },
      {
        Accepted: 'True Accepted',
        Progressing: 'False ImagePullFailed',
        Available: 'False ImagePullFailed',
        Ready: 'False ImagePullFailed',
      },
    ],
  ])('%s', (_, world, conditions) => {
    expect(reasons(world)).toEqual(conditions);
  });

  it('names what is waited for', () => {
    const ready = decided({ children: [live('Deployment')] }).conditions.find(({ type }) => type === 'Ready');
    expect(ready?.message).toBe('1 of 2 objects are as wanted and ready; waits for Service web.');
  });

  it('has the replicas of its children, and the labels that select their pods', () => {
    expect(decided({ children: both() }).status).toEqual({
      replicas: 2,
      readyReplicas: 2,
      selector: 'acme.dev/name=web,app=web',
    });
  });
});

describe('what a kind decides', () => {
  const asking = defineKind({
    group: 'acme.dev',
    kind: 'Thing',
    spec: z.strictObject({ name: z.string().default('db') }),
    status: z.strictObject({ host: z.string().optional(), phase: z.enum(['Up', 'Down']).optional() }),
    asks: { host: async ({ name }: { readonly name: string }) => Promise.resolve(`${name}.example.com`) },
    reconcile: ({ answer, ready, spec }) => {
      const host = answer('host');
      return {
        state: { host },
        status: { phase: ready ? 'Up' : 'Down', ...(host !== undefined && { host }) },
        asks: { host: { input: { name: spec.name }, everySeconds: 30 } },
      };
    },
    construct: (scope, { name, state }) => void deployment(scope, 'd', name, 1, state.host),
  });
  const decide = (answers: Readonly<Record<string, Answer>>) =>
    asking.reconcile(
      snapshotFrom({ resource: resourceOf({}, {}, 'Thing') as never, children: [], pods: [], answers }),
      0,
    );

  it('asks about things outside of the cluster, and has the answers as facts', () => {
    expect(decide({}).queries).toEqual([
      { id: 'host', type: 'ask', name: 'host', input: { name: 'db' }, everySeconds: 30 },
    ]);
    const { state, status } = decide({ host: { at: 0, type: 'ask', value: 'db.example.com' } });
    expect(state).toEqual({ host: 'db.example.com' });
    expect(status).toEqual({ host: 'db.example.com', phase: 'Down' });
  });

  it('says in the conditions by default what is not known yet, and what could not be found out', () => {
    const readyOf = ({ conditions }: ReturnType<typeof decide>) => conditions.find(({ type }) => type === 'Ready');
    expect(readyOf(decide({}))).toMatchObject({ status: 'False', reason: 'Asking' });
    expect(readyOf(decide({ host: { at: 0, type: 'unknown', message: 'no route.' } }))).toMatchObject({
      status: 'False',
      reason: 'AskFailed',
      message: expect.stringContaining('no route'),
    });
  });

  it('is refused where it asks what the kind does not have', () => {
    const wrong = defineKind({
      group: 'acme.dev',
      kind: 'Thing',
      spec: z.strictObject({}),
      children: [],
      reconcile: () => ({ asks: { nobody: {} } }),
      construct: () => undefined,
    });
    const snapshot = snapshotFrom({ resource: resourceOf({}, {}, 'Thing') as never, children: [], pods: [] });
    expect(() => wrong.reconcile(snapshot, 0)).toThrow('reconcile asks nobody, and the kind has the asks none');
  });

  it('gives its conditions in place of those by default', () => {
    const own = defineKind({
      group: 'acme.dev',
      kind: 'Thing',
      spec: z.strictObject({}),
      children: [],
      reconcile: ({ conditions }) => ({
        conditions: [...conditions, { type: 'Backup', status: 'True', reason: 'Done', message: 'Today.' }],
      }),
      construct: () => undefined,
    });
    const snapshot = snapshotFrom({ resource: resourceOf({}, {}, 'Thing') as never, children: [], pods: [] });
    expect(own.reconcile(snapshot, 0).conditions.map(({ type }) => type)).toEqual([
      'Accepted',
      'Progressing',
      'Available',
      'Ready',
      'Backup',
    ]);
  });
});
