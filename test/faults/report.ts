import type { Verdict } from './campaign.ts';

const CLASSES: Readonly<Record<Verdict['class'], string>> = {
  A: 'crash',
  B: 'stale view',
  C: 'unobserved',
  D: 'transport',
  E: 'writes',
};

/** A line a class, then what failed. */
export function table(verdicts: readonly Verdict[]): string {
  const rows = Object.entries(CLASSES).map(([id, name]) => {
    const of = verdicts.filter((verdict) => verdict.class === id);
    const survived = of.filter(({ failures }) => failures.length === 0).length;
    const struck = of.reduce((sum, verdict) => sum + verdict.struck, 0);
    return [`${id} ${name}`, `${of.length}`, `${struck}`, `${survived}`];
  });
  const total = ['all', ...[1, 2, 3].map((at) => `${rows.reduce((sum, row) => sum + Number(row[at]), 0)}`)];
  const lines = [['class', 'plans', 'faults', 'survived'], ...rows, total].map(([first = '', ...rest]) =>
    [first.padEnd(14), ...rest.map((cell) => cell.padStart(9))].join(' '),
  );
  const failed = verdicts
    .filter(({ failures }) => failures.length > 0)
    .flatMap(({ kind, plan, failures }) => [
      `FAILED ${kind}: ${plan}`,
      ...failures.slice(0, 6).map((line) => `  ${line}`),
    ]);
  return [...lines, ...failed].join('\n');
}
