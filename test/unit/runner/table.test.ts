import { expect, test } from 'vitest';
import config from '../../../vitest.config.ts';
import { rows } from '../../parts.ts';
import { ended, table, type Run } from '../../table.ts';

const unit: Run = { part: 'unit', passed: 8_641, failures: [], minutes: 4.567 };
const cluster: Run = { part: 'cluster', passed: 788, failures: ['cluster: rest.test.ts: 1 to be 0'], minutes: 10.04 };

test('the table has a line for each part, and one for all', () => {
  expect(table([unit, cluster], 12.35).split('\n')).toEqual([
    'part     passed  failed  minutes',
    'unit       8641       0      4.6',
    'cluster     788       1     10.0',
    'all        9429       1     12.3',
  ]);
});

test('a part that ends says how it went', () => {
  expect(ended(cluster)).toBe('cluster: 788 passed, 1 failed, 10.0 minutes');
});

test('each part is run once, and is one that there is', () => {
  const run = rows(true).flat(2);
  expect(new Set(run).size).toBe(run.length);
  const there = (config.test?.projects ?? []).map((project) => (project as { test: { name: string } }).test.name);
  expect(there).toEqual(expect.arrayContaining(run));
});

test('without --all, what measures and what builds other projects is left out', () => {
  expect(rows(false)).toEqual([
    [['unit']],
    [['cluster']],
    [['leadership']],
    [['package'], ['browser'], ['pulumi', 'faults']],
  ]);
});

test('parts that judge time or load have the machine for themselves', () => {
  const alone = rows(true)
    .filter((row) => row.length === 1)
    .flat(2);
  expect(alone).toEqual(expect.arrayContaining(['unit', 'leadership', 'real', 'cost', 'hostile']));
});
