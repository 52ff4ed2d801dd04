import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityOf } from '../../../operator/engine/api/identity.ts';
import type { ObservedChild } from '../../../operator/engine/api/observed.ts';
import { isOurs } from '../../../operator/engine/observe/snapshot.ts';
import { identityOfDesired } from '../../../operator/engine/plan/plan.ts';
import type { DesiredChild, Step } from '../../../operator/engine/plan/plan.ts';
import { isWorkload } from '../../../operator/engine/observe/ready.ts';
import { desiredOf, liveOf, OWNER, ownerless, World } from './plan-world.ts';

const KINDS = ['ConfigMap', 'PersistentVolumeClaim', 'Job', 'Deployment', 'Service'];

/** Children in a random order that `after` respects. */
const desired = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      after: fc.array(fc.nat(5), { maxLength: 2 }),
      retain: fc.boolean(),
      unmanagedFields: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  .map((children) =>
    children.map(({ kind, after, retain, unmanagedFields }, index) =>
      desiredOf(`child-${index}`, kind, {
        after: [...new Set(after.filter((other) => other < index))].map((other) => `child-${other}`),
        retain: retain && !isWorkload(desiredOf('', kind).manifest),
        unmanagedFields: unmanagedFields ? ['spec.replicas'] : [],
      }),
    ),
  );

/** What may be there under the name of a child, or under a name that is no longer wanted. */
const live = (kind: string, name: string): fc.Arbitrary<readonly ObservedChild[]> =>
  fc
    .record({
      is: fc.constantFrom('absent', 'ours', 'ours', 'ownerless', 'foreign', 'unmanaged'),
      digest: fc.constantFrom('as wanted', 'drifted'),
      deleting: fc.boolean(),
      ready: fc.boolean(),
      owns: fc.subarray(['spec.replicas']),
    })
    .map(({ is, ...state }) => {
      const base = { kind, name, ...state };
      if (is === 'absent') return [];
      if (is === 'ours') return [liveOf(base)];
      if (is === 'ownerless') return [ownerless({ ...base, deleting: false })];
      if (is === 'foreign') return [liveOf({ ...base, ownerUid: 'somebody', deleting: false })];
      return [ownerless({ ...base, digest: '', deleting: false })];
    });

interface Start {
  readonly desired: readonly DesiredChild[];
  readonly observed: readonly ObservedChild[];
  readonly replace: readonly string[];
}

const start: fc.Arbitrary<Start> = desired.chain((children) =>
  fc.record({
    desired: fc.constant(children),
    observed: fc
      .tuple(
        ...children.map(({ id, manifest }) => live(manifest.kind, id)),
        ...KINDS.map((kind) => live(kind, `old-${kind}`)),
      )
      .map((objects) => objects.flat()),
    replace: fc.subarray(children.map(({ id }) => id)),
  }),
);

/**
 * Makes plans and carries them out until there is nothing to do, before and after the controllers have done their work.
 *
 * @param done - how many steps of the n-th plan are done before the operator is killed
 * @param before - called before each step
 */
function converge(
  { desired: children, observed, replace }: Start,
  done: (round: number, steps: number) => number = (_, steps) => steps,
  before: (step: Step, world: World) => void = () => {},
): World {
  const world = new World(observed);
  let idle = 0;
  for (let round = 0; idle < 2; round++) {
    const { steps } = world.plan({ desired: children, replace: round === 0 ? replace : [] });
    idle = steps.length === 0 ? idle + 1 : 0;
    if (round > 50) throw new Error(`no end: ${JSON.stringify(steps)}`);
    for (const step of steps.slice(0, done(round, steps.length))) {
      before(step, world);
      world.do(step);
    }
    world.settle();
  }
  return world;
}

/** The live objects that no plan may touch. */
const untouchable = ({ observed, desired: children }: Start): readonly ObservedChild[] => {
  const wanted = new Set(children.map(identityOfDesired));
  return observed.filter(
    (object) => !isOurs(object, OWNER) || (object.ownerUid === undefined && !wanted.has(identityOf(object))),
  );
};

describe('plans carried out again and again', () => {
  it('end where each child that can be is as wanted, and nothing else of ours is left', () => {
    fc.assert(
      fc.property(start, (from) => {
        const world = converge(from);
        const foreign = new Set(from.observed.filter((object) => !isOurs(object, OWNER)).map(identityOf));
        const blocked = new Set<string>();
        for (const child of from.desired) {
          if (foreign.has(identityOfDesired(child)) || child.after.some((id) => blocked.has(id))) blocked.add(child.id);
          else expect(world.objects.get(identityOfDesired(child))).toMatchObject({ digest: 'as wanted', ready: true });
        }
        if (blocked.size > 0) return;
        const wanted = new Set(from.desired.map(identityOfDesired));
        const leftOver = [...world.objects].filter(
          ([identity, { ownerUid }]) => ownerUid === OWNER && !wanted.has(identity),
        );
        expect(leftOver).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('touch nothing that is not ours, and delete nothing that is to be retained', () => {
    fc.assert(
      fc.property(start, (from) => {
        const world = converge(from);
        for (const object of untouchable(from)) expect(world.objects.get(identityOf(object))?.uid).toBe(object.uid);
        const retained = from.desired.filter(({ id, retain }) => retain && !from.replace.includes(id));
        const deleted = new Set(world.deleted.map(identityOf));
        expect(retained.filter((child) => deleted.has(identityOfDesired(child)))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('apply a child only when all that it comes after is as wanted and ready', () => {
    fc.assert(
      fc.property(start, (from) => {
        converge(from, undefined, (step, world) => {
          if (step.action !== 'create' && step.action !== 'apply') return;
          for (const id of step.child.after) {
            const earlier = from.desired.find((child) => child.id === id)!;
            const object = world.objects.get(identityOfDesired(earlier));
            expect(object).toMatchObject({ digest: 'as wanted', deleting: false });
            if (isWorkload(earlier.manifest)) expect(object?.ready).toBe(true);
          }
        });
      }),
      { numRuns: 500 },
    );
  });

  it('delete what pods may use only when all workloads are as wanted and ready', () => {
    fc.assert(
      fc.property(start, (from) => {
        converge(from, undefined, (step, world) => {
          if (step.action !== 'delete' || ['Service', 'Deployment'].includes(step.live.kind)) return;
          for (const child of from.desired.filter(({ manifest }) => isWorkload(manifest))) {
            expect(world.objects.get(identityOfDesired(child))).toMatchObject({ ready: true, deleting: false });
          }
        });
      }),
      { numRuns: 500 },
    );
  });

  it('come to the same end when the operator is killed after any step', () => {
    fc.assert(
      fc.property(start, fc.array(fc.nat(4), { maxLength: 8 }), (from, prefixes) => {
        const killed = converge({ ...from, replace: [] }, (round, steps) => prefixes[round] ?? steps);
        expect(killed.summary()).toEqual(converge({ ...from, replace: [] }).summary());
      }),
      { numRuns: 500 },
    );
  });
});
