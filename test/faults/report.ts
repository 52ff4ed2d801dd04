import type { Verdict } from './campaign.ts';
import type { Detection } from './mutants.ts';

const CLASSES: Readonly<Record<string, string>> = {
  A: 'crash',
  B: 'stale view',
  C: 'unobserved',
  D: 'transport',
  E: 'writes',
  F: 'life cycle',
};

const COLUMNS = ['plans', 'faults', 'kills', 'survived', 'idle'] as const;

type Row = Readonly<Record<(typeof COLUMNS)[number], number>>;

const sumOf = (verdicts: readonly Verdict[], value: (verdict: Verdict) => number): number =>
  verdicts.reduce((sum, verdict) => sum + value(verdict), 0);

/** What came of some plans. Idle ones found nothing to disturb. */
const rowOf = (verdicts: readonly Verdict[]): Row => ({
  plans: verdicts.length,
  faults: sumOf(verdicts, ({ struck }) => struck),
  kills: sumOf(verdicts, ({ kills }) => kills),
  survived: verdicts.filter(({ failures }) => failures.length === 0).length,
  idle: verdicts.filter(({ struck }) => struck === 0).length,
});

/** A line for each kind and class, then what failed. */
export function table(verdicts: readonly Verdict[]): string {
  const rows = [...Map.groupBy(verdicts, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    [...Map.groupBy(ofKind, ({ id }) => id.slice(0, 1))]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([letter, all]) => rowLine(kind, `${letter} ${CLASSES[letter] ?? ''}`, rowOf(all))),
  );
  const failed = verdicts
    .filter(({ failures }) => failures.length > 0)
    .flatMap(({ kind, id, plan, failures }) => [
      `FAILED ${kind} ${id}: ${plan}`,
      ...failures.slice(0, 8).map((failure) => `  ${failure.slice(0, 400)}`),
    ]);
  const head = columns('kind', 'class', [...COLUMNS]);
  return [head, ...rows, rowLine('all', '', rowOf(verdicts)), ...failed].join('\n');
}

const rowLine = (kind: string, name: string, row: Row): string =>
  columns(
    kind,
    name,
    COLUMNS.map((column) => `${row[column]}`),
  );

const columns = (kind: string, name: string, cells: readonly string[]): string =>
  [kind.padEnd(20), name.padEnd(13), ...cells.map((cell) => cell.padStart(9))].join(' ');

/** One verdict, as it falls. */
export const line = ({ kind, id, plan, seconds, failures }: Verdict): string =>
  `${failures.length === 0 ? 'survived' : 'FAILED  '} ${seconds.toFixed(1).padStart(5)} s  ${kind} ${id}: ${[plan, ...failures.slice(0, 1)].join('\n  ')}`;

/** Each planted bug, and what found it. */
export const mutantTable = (detections: readonly Detection[]): string =>
  detections
    .flatMap(({ bug, by, message }) => [
      `${by === undefined ? 'MISSED' : 'found '} ${bug}`,
      `       by ${by ?? 'no plan'}: ${message.slice(0, 200)}`,
    ])
    .join('\n');
