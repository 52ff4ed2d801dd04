import type { PlanResult } from './campaign.ts';

const CLASSES: Readonly<Record<string, string>> = {
  N: 'no fault',
  A: 'crash',
  B: 'stale view',
  C: 'unobserved',
  D: 'transport',
  E: 'writes',
  F: 'life cycle',
};

const COLUMNS = ['plans', 'faults', 'kills', 'survived', 'idle'] as const;

type Row = Readonly<Record<(typeof COLUMNS)[number], number>>;

/** So many failed plans are told with what differed, and so many lines of each; the others by their names. */
const SHOWN = 25;
const LINES = 8;
const LONGEST_LINE = 400;

const sumOf = (results: readonly PlanResult[], value: (result: PlanResult) => number): number =>
  results.reduce((sum, result) => sum + value(result), 0);

export const isSurvived = ({ failures }: PlanResult): boolean => failures.length === 0;

/** What came of some plans. Idle ones found nothing to disturb. */
const rowOf = (results: readonly PlanResult[]): Row => ({
  plans: results.length,
  faults: sumOf(results, ({ struck }) => struck),
  kills: sumOf(results, ({ kills }) => kills),
  survived: results.filter(isSurvived).length,
  idle: results.filter(({ id, struck }) => struck === 0 && !id.startsWith('N')).length,
});

/** A line for each kind and class, then what failed. */
export function table(results: readonly PlanResult[]): string {
  const rows = [...Map.groupBy(results, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    Object.keys(CLASSES).flatMap((letter) => {
      const ofClass = ofKind.filter(({ id }) => id.startsWith(letter));
      return ofClass.length === 0 ? [] : [rowLine(kind, `${letter} ${CLASSES[letter]}`, rowOf(ofClass))];
    }),
  );
  const head = columns('kind', 'class', [...COLUMNS]);
  const failed = results.filter((result) => !isSurvived(result)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const lines = failed.flatMap((result, index) => (index < SHOWN ? failureOf(result) : [headOf(result)]));
  return [head, ...rows, rowLine('all', '', rowOf(results)), ...lines].join('\n');
}

/** How a plan is called, to choose it. */
export const fullName = ({ id, plan }: Pick<PlanResult, 'id' | 'plan'>): string => `${id} ${plan}`;

const headOf = ({ kind, id, plan }: PlanResult): string => `FAILED ${kind} ${id}: ${plan}`;

const failureOf = (result: PlanResult): readonly string[] => {
  const { failures } = result;
  const more = failures.length - LINES;
  return [
    headOf(result),
    ...failures.slice(0, LINES).map((failure) => `  ${failure.slice(0, LONGEST_LINE)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
};

const rowLine = (kind: string, name: string, row: Row): string =>
  columns(
    kind,
    name,
    COLUMNS.map((column) => `${row[column]}`),
  );

const columns = (kind: string, name: string, cells: readonly string[]): string =>
  [kind.padEnd(20), name.padEnd(13), ...cells.map((cell) => cell.padStart(9))].join(' ');

/** One result, as it falls. */
export const line = ({ kind, id, plan, seconds, failures }: PlanResult): string =>
  `${failures.length === 0 ? 'survived' : 'FAILED  '} ${seconds.toFixed(1).padStart(5)} s  ${kind} ${id}: ${[plan, ...failures.slice(0, 1)].join('\n  ')}`;
