import { describe, expect, it } from 'vitest';
import type { Round } from '../../../bench/bench.ts';
import { broken, missed } from '../../../bench/gates.ts';
import { inTurn, median } from '../../../bench/pool.ts';
import { report } from '../../../bench/report.ts';

const round = (over: Partial<Round>): Round => ({
  count: 100,
  bareSeconds: 10,
  floorSeconds: 11,
  operatorSeconds: 11,
  ratio: 1.1,
  floorRatio: 1.1,
  timesFloor: 1,
  floorCpuMillisecondsEach: 5,
  callsEach: {},
  writesEach: 8,
  cpuMillisecondsEach: 10,
  peakMiB: 100,
  writesAtRest: 0,
  ...over,
});

const medians = (...rounds: readonly Round[]) => report({ rounds, isApart: true }).medians;

describe('the bench', () => {
  it('has each subject first in its turn, and tells what came of each', async () => {
    const order: string[] = [];
    const does = (name: string) => async () => {
      order.push(name);
      return name.length;
    };
    const tasks = { bare: does('bare'), floor: does('floor'), operator: does('operator') };
    for (const turn of [0, 1, 2]) expect(await inTurn(turn, tasks)).toEqual({ bare: 4, floor: 5, operator: 8 });
    expect(order.join(' ')).toBe('bare floor operator floor operator bare operator bare floor');
  });

  it('judges by the middle of its rounds, size by size', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    const found = medians(round({ ratio: 9 }), round({ count: 500 }), round({ ratio: 1 }), round({ ratio: 1.1 }));
    expect(found.map(({ count, ratio }) => [count, ratio])).toEqual([
      [100, 1.1],
      [500, 1.1],
    ]);
  });

  it('tells what another operator beside it costs, where that was measured', () => {
    const beside = (ratio: number) => ({ beside: { ...round({}), seconds: 11, ratio } });
    expect(medians(round({}))[0]?.beside).toBeUndefined();
    expect(medians(round(beside(1)), round(beside(3)), round(beside(2)))[0]?.beside).toEqual({
      ratio: 2,
      writesEach: 8,
      cpuMillisecondsEach: 10,
      peakMiB: 100,
    });
  });

  it.each([
    ['a write too many', { writesEach: 12 }, ['at 100 resources: 12.00 writes a resource, at most 11']],
    ['a write at rest', { writesAtRest: 1 }, ['at 100 resources: 1.00 writes at rest, at most 0']],
    ['an operator that dawdles', { timesFloor: 2.1 }, ["at 100 resources: 2.10 times the floor's time, at most 2"]],
    ['a server that does', { ratio: 9, floorRatio: 9 }, []],
    ['slow processors and much memory', { cpuMillisecondsEach: 99, peakMiB: 999 }, []],
  ])('fails for what is not the fault of the machine: %s', (_, over, words) => {
    expect(broken(round(over))).toEqual(words);
  });

  it.each([
    [
      'a hundred that take too long',
      { ratio: 1.2 },
      ["at 100 resources: 1.20 times the bare client's time, at most 1.15"],
    ],
    ['five hundred, which may take longer', { count: 500, ratio: 1.35 }, []],
    ['much work', { cpuMillisecondsEach: 16 }, ['at 100 resources: 16.00 ms of CPU a resource, at most 15']],
    [
      'more than a careful operator beside it',
      { beside: { ...round({}), seconds: 10, ratio: 1, cpuMillisecondsEach: 4 } },
      [
        "at 100 resources: 1.10 times the careful operator's time, at most 1.02",
        "at 100 resources: 2.50 times the careful operator's CPU, at most 2.14",
      ],
    ],
    ['as much as a careful operator beside it', { beside: { ...round({}), seconds: 11 } }, []],
  ])('says what it aims at and has not reached: %s', (_, over, words) => {
    expect(missed(round(over))).toEqual(words);
  });
});
