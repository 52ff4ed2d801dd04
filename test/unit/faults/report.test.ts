import { describe, expect, it } from 'vitest';
import type { PlanResult } from '../../../testing/faults/campaign.ts';
import { reportText } from '../../../testing/faults/summary.ts';

const result = (
  id: string,
  plan: string,
  failures: readonly string[] = [],
  more: Partial<PlanResult> = {},
): PlanResult => ({
  kind: 'WebApp',
  id,
  plan,
  struck: 3,
  kills: id.startsWith('A') ? 3 : 0,
  seconds: 10,
  failures,
  ...more,
});

const clean = result('N0', 'no fault', [], { struck: 0 });

describe('the text of a report', () => {
  it('counts plans by class', () => {
    const results = [clean, result('A1', 'one'), result('A2', 'two'), result('D1', 'three', [], { struck: 0 })];
    expect(reportText({ results, notRun: [], minutes: 1.5 }).split('\n')).toEqual([
      'kind                 class             plans    faults     kills  survived      idle',
      'WebApp               N no fault            1         0         0         1         0',
      'WebApp               A crash               2         6         6         2         0',
      'WebApp               D transport           1         0         0         1         1',
      'all                                        4         6         6         4         1',
      '4 runs in 1.5 minutes',
    ]);
  });

  it('says what differed, how to run the quickest plan again, and where the rest is', () => {
    const lines = Array.from({ length: 10 }, (_, index) => `difference ${index}`);
    const results = [clean, result('B1', 'slow', lines, { seconds: 50 }), result('A1', 'quick "one"', ['why'])];
    const text = reportText({ results, notRun: [], minutes: 1 });
    expect(text).toContain('FAILED WebApp A1: quick "one"\n  why\nFAILED WebApp B1: slow\n  difference 0\n');
    expect(text).toContain('  difference 7\n  and 2 more\n');
    expect(text).toContain('To run one plan again: plans: "A1 quick \\"one\\""');
    expect(text).toContain('failures[0].remains, failures[0].output');
  });

  it('tells the first failures only with what differed, and names the others', () => {
    const results = Array.from({ length: 30 }, (_, index) => result('A1', `plan ${index}`, ['why']));
    const text = reportText({ results, notRun: [], minutes: 1 });
    expect(text.split('\n  why').length - 1).toBe(25);
    expect(text.split('FAILED ').length - 1).toBe(30);
  });

  it('names plans that were not run', () => {
    const notRun = Array.from({ length: 7 }, (_, index) => `A1 plan ${index}`);
    expect(reportText({ results: [clean], notRun, minutes: 30 })).toContain(
      'not run, since the time was over: A1 plan 0; A1 plan 1; A1 plan 2; A1 plan 3; A1 plan 4; and 2 more. Give more with minutes.',
    );
  });
});
