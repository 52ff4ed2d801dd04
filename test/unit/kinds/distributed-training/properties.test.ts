import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DistributedTrainingStatus } from '../../../../constructs/distributed-training/status.ts';
import { pauseOf } from '../../../../operator/kinds/distributed-training/retry.ts';
import { SECOND, START, specOf } from './support.ts';
import { jobOf, World } from './world.ts';

const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('operate' as const),
      until: fc.constantFrom('nothing', 'status', 'removals', 'all'),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ type: 'operate', until: 'all' } as const) },
  { weight: 6, arbitrary: fc.constant({ type: 'settle' } as const) },
  {
    weight: 4,
    arbitrary: fc.constantFrom({ type: 'collect' }, { type: 'stop' }, { type: 'control' }, { type: 'start' } as const),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('wait' as const), seconds: fc.constantFrom(1, 20, 120) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('affect' as const),
      index: fc.nat(7),
      what: fc.constantFrom('fail', 'preempt', 'lose', 'delete', 'succeed'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('suspend' as const), suspend: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('edit' as const), image: fc.constantFrom('a:1', 'b:1') }) },
  { weight: 1, arbitrary: fc.constant({ type: 'delete job' } as const) },
);

type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

function apply(world: World, happening: Event): void {
  switch (happening.type) {
    case 'operate':
      return world.operate(happening.until);
    case 'settle':
    case 'collect':
    case 'stop':
    case 'control':
    case 'start':
      return world[happening.type]();
    case 'wait':
      world.now += happening.seconds * SECOND;
      return undefined;
    case 'affect':
      return world.befall(happening.index, happening.what);
    case 'suspend':
      world.spec = { ...world.spec, suspend: happening.suspend };
      world.generation += 1;
      return undefined;
    case 'edit':
      world.spec = { ...world.spec, image: happening.image };
      world.generation += 1;
      return undefined;
    case 'delete job':
      world.jobs.delete(jobOf(world.spec, world.status?.attempt ?? 1));
      return undefined;
  }
}

const charges = ({ attempts = [] }: DistributedTrainingStatus): number =>
  attempts.reduce((sum, { charged }) => sum + charged, 0);

const isOver = (status: DistributedTrainingStatus | undefined): boolean => status?.completionTime !== undefined;

/** Nothing happens any more but what operator and cluster do, and ranks that end. */
function conclude(world: World): void {
  world.spec = { ...world.spec, suspend: false };
  world.generation += 1;
  for (let round = 0; round < 200 && !isOver(world.status); round++) {
    world.operate();
    world.settle();
    world.now += 60 * SECOND;
    if (round % 8 === 7) for (let rank = 0; rank < world.spec.replicas; rank++) world.befall(0, 'succeed');
  }
}

describe('no matter what happens, and wherever the operator is killed', () => {
  const worlds = fc.record({
    events: fc.array(event, { minLength: 20, maxLength: 120, size: 'max' }),
    limit: fc.nat(3),
  });

  it('pods of two attempts are never alive at once, and the budget is kept to', () => {
    fc.assert(
      fc.property(worlds, ({ events, limit }) => {
        const world = new World(specOf({ replicas: 3, retry: { limit, backoffSeconds: 5, maxBackoffSeconds: 60 } }));
        let failures = 0;
        for (const happening of events) {
          const before = world.status;
          apply(world, happening);
          expect(world.attemptsAlive.length).toBeLessThanOrEqual(1);
          const { status } = world;
          if (!status) continue;
          expect(status.failures).toBeGreaterThanOrEqual(failures);
          failures = status.failures ?? 0;
          expect(charges(status)).toBe(failures);
          if (failures > limit) expect(status.phase).toBe('Failed');
          if (isOver(before)) expect(status.phase).toBe(before?.phase);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('the training ends, once it is left alone', () => {
    fc.assert(
      fc.property(worlds, ({ events, limit }) => {
        const world = new World(specOf({ replicas: 3, retry: { limit, backoffSeconds: 5, maxBackoffSeconds: 60 } }));
        for (const happening of events) apply(world, happening);
        conclude(world);
        expect(['Completed', 'Failed']).toContain(world.status?.phase);
      }),
      { numRuns: 200 },
    );
  });

  it('the same look gives the same decision, and a status that was written is not written again', () => {
    fc.assert(
      fc.property(worlds, ({ events, limit }) => {
        const world = new World(specOf({ replicas: 3, retry: { limit } }));
        for (const happening of events) {
          apply(world, happening);
          expect(world.decide()).toEqual(world.decide());
        }
        world.operate();
        const { status } = world;
        expect(world.decide().status).toEqual(status);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the pause before an attempt', () => {
  const retry = { limit: 6, backoffSeconds: 10, maxBackoffSeconds: 600 };
  const short = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      number: index + 1,
      reason: 'ProgramFailed',
      charged: 1,
      startedAt: new Date(START).toISOString(),
      finishedAt: new Date(START + SECOND).toISOString(),
    }));

  it('doubles, up to the limit, less up to a fifth', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 40].map((count) => pauseOf(retry, short(count), 'uid') / SECOND);
    [10, 20, 40, 80, 160, 320, 600, 600, 600].forEach((most, index) => {
      expect(seconds[index]).toBeLessThanOrEqual(most);
      expect(seconds[index]).toBeGreaterThanOrEqual(most * 0.8);
    });
  });

  it('differs from training to training, and not from look to look', () => {
    expect(pauseOf(retry, short(1), 'a')).toBe(pauseOf(retry, short(1), 'a'));
    expect(pauseOf(retry, short(1), 'a')).not.toBe(pauseOf(retry, short(1), 'b'));
  });

  it('starts again after an attempt that lasted', () => {
    const [last, ...rest] = short(6).toReversed();
    if (!last) expect.unreachable('there are six');
    const long = { ...last, finishedAt: new Date(START + 600 * SECOND).toISOString() };
    expect(pauseOf(retry, [...rest, long], 'uid')).toBeLessThanOrEqual(10 * SECOND);
  });

  it.each(['SpecChanged', 'Suspended'])('does not grow with attempts that ended as a person wished: %s', (reason) => {
    const ended = short(6).map((attempt, index) => (index < 5 ? { ...attempt, reason } : attempt));
    expect(pauseOf(retry, ended, 'uid')).toBeLessThanOrEqual(10 * SECOND);
  });
});
