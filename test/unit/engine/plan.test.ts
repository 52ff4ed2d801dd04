import { describe, expect, it } from 'vitest';
import { isAllGone, isDestructive, makePlan } from '../../../operator/engine/plan/plan.ts';
import type { DesiredChild, Plan, PlanInput } from '../../../operator/engine/plan/plan.ts';
import type { ObservedChild } from '../../../operator/engine/api/observed.ts';
import { desiredOf, liveOf, ownerless, OWNER } from './plan-world.ts';

const deployment = (options: Parameters<typeof desiredOf>[2] = {}): DesiredChild =>
  desiredOf('deployment', 'Deployment', options);
const weights = desiredOf('weights', 'PersistentVolumeClaim');
const fetchJob = desiredOf('fetch', 'Job', { after: ['weights'] });
const liveDeployment = liveOf({ kind: 'Deployment', name: 'deployment' });

/** A kind says when its claims are ready. */
const RULED: NonNullable<PlanInput['types']> = new Map([['/PersistentVolumeClaim', { ready: () => true }]]);

/** A plan in a line a thing. */
function inWords({ steps, waiting, foreign }: Plan): readonly string[] {
  return [
    ...steps.map((step) => {
      const name = 'child' in step ? step.child.id : step.live.name;
      const handOver =
        step.action === 'apply' && step.handOver.length > 0 ? ` handing over ${step.handOver.join()}` : '';
      const immutable = step.action === 'apply' && step.ifImmutable !== 'report' ? ` or ${step.ifImmutable}` : '';
      return `${step.action} ${name}${handOver}${immutable}`;
    }),
    ...waiting.map((wait) => {
      const name = wait.for === 'ready' ? wait.child.id : wait.live.name;
      return wait.for === 'gone' ? `${name} goes` : `${name} waits for ${wait.ids.join()} (${wait.for})`;
    }),
    ...foreign.map(({ child }) => `${child.id} is foreign`),
  ];
}

interface Case {
  readonly name: string;
  readonly desired: readonly DesiredChild[];
  readonly observed?: readonly ObservedChild[];
  readonly input?: Partial<PlanInput>;
  readonly plan: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'nothing is to be done where all is as wanted',
    desired: [deployment()],
    observed: [liveDeployment],
    plan: [],
  },
  { name: 'what is missing is created', desired: [deployment()], plan: ['create deployment'] },
  {
    name: 'what comes after an object that is ready once it is there is created with it',
    desired: [weights, fetchJob],
    plan: ['create weights', 'create fetch'],
  },
  {
    name: 'what comes after one with a rule of its own waits until that is seen to be ready',
    desired: [weights, fetchJob],
    input: { types: RULED },
    plan: ['create weights', 'fetch waits for weights (ready)'],
  },
  {
    name: 'what comes after one with a rule of its own waits as well where that has changed',
    desired: [{ ...weights, digest: 'new' }, fetchJob],
    observed: [liveOf({ kind: 'PersistentVolumeClaim', name: 'weights' })],
    input: { types: RULED },
    plan: ['apply weights', 'fetch waits for weights (ready)'],
  },
  {
    name: 'what differs is applied',
    desired: [deployment({ digest: 'new' })],
    observed: [liveDeployment],
    plan: ['apply deployment'],
  },
  {
    name: 'a child whose owner somebody removed is applied, since our field manager made it',
    desired: [deployment({ digest: 'with owner' })],
    observed: [ownerless({ kind: 'Deployment', name: 'deployment' })],
    plan: ['apply deployment'],
  },
  {
    name: 'an object of another owner is told and not touched',
    desired: [deployment()],
    observed: [liveOf({ kind: 'Deployment', name: 'deployment', ownerUid: 'somebody' })],
    plan: ['deployment is foreign'],
  },
  {
    name: 'an object of no owner that our field manager did not make is told and not touched',
    desired: [deployment()],
    observed: [ownerless({ kind: 'Deployment', name: 'deployment', digest: '' })],
    plan: ['deployment is foreign'],
  },
  {
    name: 'a child of the same name and kind in another version of its API is the same object',
    desired: [deployment()],
    observed: [liveOf({ kind: 'Deployment', name: 'deployment', apiVersion: 'apps/v1beta2' })],
    plan: [],
  },
  {
    name: 'what comes after a claim is made with it, since a claim is ready once it exists',
    desired: [weights, fetchJob],
    plan: ['create weights', 'create fetch'],
  },
  {
    name: 'what comes after a Job is held back until the Job is complete',
    desired: [weights, fetchJob, deployment({ after: ['fetch'] })],
    plan: ['create weights', 'create fetch', 'deployment waits for fetch (ready)'],
  },
  {
    name: 'what comes after a complete Job is made',
    desired: [weights, fetchJob, deployment({ after: ['fetch'] })],
    observed: [
      liveOf({ kind: 'PersistentVolumeClaim', name: 'weights' }),
      liveOf({ kind: 'Job', name: 'fetch', ready: true }),
    ],
    plan: ['create deployment'],
  },
  {
    name: 'a change of a child is held back as well',
    desired: [weights, fetchJob, deployment({ after: ['fetch'], digest: 'new' })],
    observed: [
      liveOf({ kind: 'PersistentVolumeClaim', name: 'weights' }),
      liveOf({ kind: 'Job', name: 'fetch', ready: false }),
      liveDeployment,
    ],
    plan: ['deployment waits for fetch (ready)'],
  },
  {
    name: 'a child that is as wanted waits for nothing',
    desired: [weights, deployment({ after: ['weights'] })],
    observed: [liveDeployment],
    plan: ['create weights'],
  },
  {
    name: 'holding back goes through a chain',
    desired: [
      deployment(),
      desiredOf('second', 'Service', { after: ['deployment'] }),
      desiredOf('third', 'Service', { after: ['second'] }),
    ],
    plan: ['create deployment', 'second waits for deployment (ready)', 'third waits for second (ready)'],
  },
  {
    name: 'what comes after a Deployment that is to change waits until it has rolled',
    desired: [deployment({ digest: 'new' }), desiredOf('second', 'Service', { after: ['deployment'] })],
    observed: [liveDeployment],
    plan: ['apply deployment', 'second waits for deployment (ready)'],
  },
  {
    name: 'a field that is left out from now on is handed over if we own it',
    desired: [deployment({ digest: 'without replicas', unmanagedFields: ['spec.replicas'] })],
    observed: [liveOf({ kind: 'Deployment', name: 'deployment', owns: ['spec.replicas'] })],
    plan: ['apply deployment handing over spec.replicas'],
  },
  {
    name: 'a field that we do not own is not handed over',
    desired: [deployment({ digest: 'new', unmanagedFields: ['spec.replicas'] })],
    observed: [liveDeployment],
    plan: ['apply deployment'],
  },
  {
    name: 'a Job that is not complete is corrected, or replaced where the server says that it can not be',
    desired: [desiredOf('fetch', 'Job', { digest: 'new' })],
    observed: [liveOf({ kind: 'Job', name: 'fetch', ready: false })],
    plan: ['apply fetch or replace'],
  },
  {
    name: 'a Job whose pods must not be stopped is corrected, or left alone where the server says that it can not be',
    desired: [desiredOf('rank', 'Job', { digest: 'new', noReplace: true })],
    observed: [liveOf({ kind: 'Job', name: 'rank', ready: false })],
    plan: ['apply rank or leave'],
  },
  {
    name: 'a child that tells of what is over stays as it is, and is made where it is not there',
    desired: [
      desiredOf('past', 'ConfigMap', { digest: 'new', createOnly: true }),
      desiredOf('lost', 'ConfigMap', { createOnly: true }),
    ],
    observed: [liveOf({ kind: 'ConfigMap', name: 'past' })],
    plan: ['create lost'],
  },
  {
    name: 'a complete Job is corrected or left alone, and holds nobody up',
    desired: [desiredOf('fetch', 'Job', { digest: 'new' }), deployment({ after: ['fetch'] })],
    observed: [liveOf({ kind: 'Job', name: 'fetch', ready: true })],
    plan: ['apply fetch or leave', 'create deployment'],
  },
  {
    name: 'a child that reconcile wants again is deleted though it is as wanted',
    desired: [desiredOf('fetch', 'Job')],
    observed: [liveOf({ kind: 'Job', name: 'fetch', ready: false })],
    input: { replace: ['fetch'] },
    plan: ['replace fetch'],
  },
  {
    name: 'a child that reconcile wants again and that is gone is created',
    desired: [desiredOf('fetch', 'Job')],
    input: { replace: ['fetch'] },
    plan: ['create fetch'],
  },
  {
    name: 'a child on its way out is waited for, and deleted once only',
    desired: [desiredOf('fetch', 'Job', { digest: 'new' })],
    observed: [liveOf({ kind: 'Job', name: 'fetch', deleting: true })],
    input: { replace: ['fetch'] },
    plan: ['fetch goes'],
  },
  {
    name: 'what is no longer wanted is deleted, after what is wanted is made',
    desired: [deployment()],
    observed: [liveOf({ kind: 'Service', name: 'old' })],
    plan: ['create deployment', 'delete old'],
  },
  {
    name: 'what pods may use is deleted only once all workloads have rolled',
    desired: [deployment({ digest: 'new' })],
    observed: [
      liveDeployment,
      liveOf({ kind: 'PersistentVolumeClaim', name: 'old-weights' }),
      liveOf({ kind: 'Job', name: 'old-fetch' }),
      liveOf({ kind: 'Service', name: 'old' }),
    ],
    plan: [
      'apply deployment',
      'delete old',
      'old-weights waits for deployment (unused)',
      'old-fetch waits for deployment (unused)',
    ],
  },
  {
    name: 'what pods used is deleted when all workloads have rolled',
    desired: [deployment()],
    observed: [liveDeployment, liveOf({ kind: 'PersistentVolumeClaim', name: 'old-weights' })],
    plan: ['delete old-weights'],
  },
  {
    name: 'what pods used is deleted when no workload is wanted',
    desired: [],
    observed: [liveDeployment, liveOf({ kind: 'ConfigMap', name: 'config' })],
    plan: ['delete deployment', 'delete config'],
  },
  {
    name: 'what has no owner is never pruned: it was to be retained',
    desired: [],
    observed: [ownerless({ kind: 'PersistentVolumeClaim', name: 'weights' })],
    plan: [],
  },
  {
    name: 'what is no longer wanted and belongs to somebody else stays',
    desired: [],
    observed: [liveOf({ kind: 'Service', name: 'other', ownerUid: 'somebody' })],
    plan: [],
  },
  {
    name: 'while the resource is being deleted, nothing is created again',
    desired: [weights, deployment()],
    input: { deleting: true, replace: ['deployment'] },
    plan: [],
  },
  {
    name: 'while the resource is being deleted, what is there is kept right, and what must go goes at once',
    desired: [deployment({ digest: 'new' })],
    observed: [
      liveOf({ kind: 'Deployment', name: 'deployment', ready: false }),
      liveOf({ kind: 'Service', name: 'service' }),
      liveOf({ kind: 'ConfigMap', name: 'config' }),
    ],
    input: { deleting: true },
    plan: ['apply deployment', 'delete service', 'delete config'],
  },
];

describe('a plan', () => {
  it.each(cases)('$name', ({ desired, observed = [], input = {}, plan }) => {
    expect(inWords(makePlan({ desired, observed, ownerUid: OWNER, ...input }))).toEqual(plan);
  });

  it('tells what is no longer wanted until it is gone', () => {
    const observed = [
      liveOf({ kind: 'Service', name: 'a' }),
      liveOf({ kind: 'Service', name: 'b', deleting: true }),
      ownerless({ kind: 'PersistentVolumeClaim', name: 'retained' }),
    ];
    expect(makePlan({ desired: [], observed, ownerUid: OWNER }).leaving.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('is destructive where it deletes, replaces, or may have to', () => {
    const destructive = (input: Partial<PlanInput>): boolean =>
      isDestructive(makePlan({ desired: [], observed: [], ownerUid: OWNER, ...input }));
    const job = liveOf({ kind: 'Job', name: 'fetch', ready: false });
    const changed = [desiredOf('fetch', 'Job', { digest: 'new' })];
    expect(destructive({ desired: [deployment()] })).toBe(false);
    expect(destructive({ desired: [deployment({ digest: 'new' })], observed: [liveDeployment] })).toBe(false);
    expect(destructive({ observed: [liveDeployment] })).toBe(true);
    expect(destructive({ desired: changed, observed: [job] })).toBe(true);
    expect(destructive({ desired: changed, observed: [{ ...job, ready: true }] })).toBe(false);
    expect(destructive({ desired: [desiredOf('fetch', 'Job')], observed: [job], replace: ['fetch'] })).toBe(true);
  });
});

describe('a resource that is deleted waits', () => {
  const leaves = (...observed: readonly ObservedChild[]) =>
    isAllGone(makePlan({ desired: [], observed, ownerUid: OWNER, deleting: true }));
  const going = (kind: string, apiVersion = 'v1') => liveOf({ kind, name: 'x', apiVersion, deleting: true });

  it.each([
    ['for what is not being deleted yet', liveOf({ kind: 'ScaledObject', name: 'x', apiVersion: 'keda.sh/v1alpha1' })],
    ['for a volume, which pods may use', going('PersistentVolumeClaim')],
    ['for what runs', going('Deployment', 'apps/v1')],
    ['for a Job, which fills a volume', going('Job', 'batch/v1')],
  ])('%s', (_, child) => {
    expect(leaves(child)).toBe(false);
  });

  it.each([
    ['a ScaledObject with a finalizer of KEDA', going('ScaledObject', 'keda.sh/v1alpha1')],
    ['an Ingress with a finalizer of a load balancer', going('Ingress', 'networking.k8s.io/v1')],
    ['an HTTPRoute', going('HTTPRoute', 'gateway.networking.k8s.io/v1')],
    ['a Service', going('Service')],
  ])('not for %s, once that is being deleted', (_, child) => {
    expect(leaves(child)).toBe(true);
  });
});
