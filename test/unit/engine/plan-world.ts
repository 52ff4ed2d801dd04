import { identityOf, namedBy } from '../../../operator/engine/api/identity.ts';
import type { ObservedChild } from '../../../operator/engine/api/observed.ts';
import { identityOfDesired, makePlan } from '../../../operator/engine/plan/plan.ts';
import type { DesiredChild, Plan, PlanInput, Step } from '../../../operator/engine/plan/plan.ts';
import { isWorkload } from '../../../operator/engine/observe/ready.ts';

export const OWNER = 'owner-uid';

/** What tests say of a live object; the rest is as it is for a healthy child of ours. */
export type Live = Partial<ObservedChild> & Pick<ObservedChild, 'kind' | 'name'>;

const API_VERSIONS: Readonly<Record<string, string>> = { Deployment: 'apps/v1', Job: 'batch/v1' };

export const liveOf = (live: Live): ObservedChild => ({
  apiVersion: API_VERSIONS[live.kind] ?? 'v1',
  namespace: 'ns',
  uid: `uid-of-${live.name}`,
  resourceVersion: '7',
  ownerUid: OWNER,
  createdAt: 0,
  deleting: false,
  digest: 'as wanted',
  owns: [],
  ready: true,
  slice: {},
  ...live,
});

/** Of a child of ours whose owner somebody removed, or that never had one. */
export const ownerless = (live: Live): ObservedChild => {
  const { ownerUid: _, ...rest } = liveOf(live);
  return rest;
};

export const desiredOf = (
  id: string,
  kind: string,
  options: Partial<
    Pick<DesiredChild, 'after' | 'unmanagedFields' | 'retain' | 'noReplace' | 'createOnly' | 'digest'>
  > = {},
): DesiredChild => {
  const manifest = { apiVersion: API_VERSIONS[kind] ?? 'v1', kind, metadata: { name: id, namespace: 'ns' } };
  const standing = { after: [], unmanagedFields: [], retain: false };
  return { id, object: namedBy(manifest), manifest, ...standing, digest: 'as wanted', ...options };
};

/** A cluster that does what steps say, and whose controllers do their work when `settle` is called. */
export class World {
  readonly objects = new Map<string, ObservedChild>();
  readonly deleted: ObservedChild[] = [];
  #made = 0;

  constructor(objects: readonly ObservedChild[]) {
    for (const object of objects) this.objects.set(identityOf(object), object);
  }

  plan(input: Omit<PlanInput, 'observed' | 'ownerUid'>): Plan {
    return makePlan({ ...input, observed: [...this.objects.values()], ownerUid: OWNER });
  }

  do(step: Step): void {
    if (step.action === 'create') {
      this.#put(step.child, `made-${(this.#made += 1)}`, !isWorkload(step.child.object));
    } else if (step.action === 'apply') {
      this.#put(step.child, step.live.uid, step.live.ready && step.live.kind !== 'Deployment');
    } else {
      this.deleted.push(step.live);
      this.objects.set(identityOf(step.live), { ...step.live, deleting: true });
    }
  }

  /** Workloads become ready, and what is being deleted goes. */
  settle(): void {
    for (const [identity, object] of this.objects) {
      if (object.deleting) this.objects.delete(identity);
      else this.objects.set(identity, { ...object, ready: true });
    }
  }

  /** All objects without what differs between two runs. */
  summary(): readonly unknown[] {
    return [...this.objects.values()]
      .map(({ kind, name, ownerUid, digest, ready, deleting }) => ({ kind, name, ownerUid, digest, ready, deleting }))
      .sort((a, b) => `${a.kind}/${a.name}`.localeCompare(`${b.kind}/${b.name}`));
  }

  #put(child: DesiredChild, uid: string, ready: boolean): void {
    const { kind, name } = child.object;
    const live = { kind, name, uid, digest: child.digest, ready };
    this.objects.set(identityOfDesired(child), child.retain ? ownerless(live) : liveOf(live));
  }
}
