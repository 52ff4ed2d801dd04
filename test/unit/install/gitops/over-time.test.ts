import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Resource } from '../../../../operator/engine/api/index.ts';
import { healthLua } from '../../../../stacks/operator/gitops/lua.ts';
import { resourceOf as trainingOf, SECOND, specOf } from '../../kinds/distributed-training/support.ts';
import { World } from '../../kinds/distributed-training/world.ts';
import { Simulation } from '../../kinds/model-serving/simulation.ts';
import { OTHER_URI, shared, withUri } from '../../kinds/model-serving/support.ts';
import { runHealthLua } from './support/lua.ts';
import { SITUATIONS } from './support/situations.ts';

const lua = healthLua();
const healthOf = (resource: Resource): string => runHealthLua(lua, resource).status;

/** The healths of a phase, as its situations have them. */
const allowed = ({ kind, status }: Resource): readonly string[] =>
  SITUATIONS.filter((one) => one.kind === kind && one.phase === status?.phase).map(({ health }) => health);

const happening = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('operate', 'settle', 'wait') },
  { weight: 1, arbitrary: fc.constantFrom('fail', 'preempt', 'lose', 'delete', 'succeed', 'suspend', 'resume') },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

function happen(world: World, what: Happening): void {
  if (what === 'operate' || what === 'settle') world[what]();
  else if (what === 'wait') world.now += 20 * SECOND;
  else if (what === 'suspend' || what === 'resume') world.spec = { ...world.spec, suspend: what === 'suspend' };
  else world.befall(0, what);
}

test('a training has the health of its phase, whatever happens to it', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(happening, { minLength: 20, maxLength: 60, size: 'max' }), fc.nat(1), (happenings, limit) => {
      const world = new World(specOf({ replicas: 2, retry: { limit, backoffSeconds: 5, maxBackoffSeconds: 60 } }));
      for (const what of happenings) {
        happen(world, what);
        if (!world.status) continue;
        const resource = trainingOf(world.spec, { status: world.status });
        expect(allowed(resource)).toContain(healthOf(resource));
        seen.add(world.status.phase ?? '');
      }
    }),
    { numRuns: 60, seed: 1 },
  );
  expect([...seen].toSorted()).toEqual(['Completed', 'Failed', 'Pending', 'Restarting', 'Running', 'Suspended']);
});

test('a model goes from Progressing to Healthy by way of nothing else, at its start and at a change', () => {
  const simulation = new Simulation(shared);
  const healths: string[] = [];
  const look = () => {
    const health = healthOf(simulation.resource);
    expect(allowed(simulation.resource)).toContain(health);
    if (health !== healths.at(-1)) healths.push(health);
  };
  simulation.until(() => simulation.status.phase === 'Running', look);
  expect(healths).toEqual(['Progressing', 'Healthy']);
  const other = withUri(shared, OTHER_URI);
  simulation.edit(other);
  simulation.run(1, look);
  simulation.until(() => simulation.status.phase === 'Running', look);
  expect(healths).toEqual(['Progressing', 'Healthy', 'Progressing', 'Healthy']);
  simulation.edit({ ...other, retired: true });
  simulation.until(() => simulation.status.phase === 'Retired', look);
  expect(healths).toEqual(['Progressing', 'Healthy', 'Progressing', 'Healthy', 'Progressing', 'Suspended']);
});
