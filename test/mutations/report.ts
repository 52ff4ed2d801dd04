import type { Judgement } from './judge.ts';
import { propertiesOfSubject } from './mutations.ts';
import type { Step } from './run-chain.ts';
import type { Subject } from './subjects/subject.ts';

/** What the campaign found out about one mutation at admission. */
export interface Judged extends Judgement {
  readonly kind: string;
  readonly mutation: string;
}

/** What the campaign did with one kind. */
export interface Part {
  readonly subject: Subject;
  readonly judged: readonly Judged[];
  readonly chains: number;
  readonly steps: readonly Step[];
}

const COLUMNS = ['properties', 'mutations', 'refusals', 'chains', 'steps', 'converged', 'reported', 'ended', 'failed'];

/** A line a kind, then what failed. */
export function table(parts: readonly Part[]): string {
  const rows = parts.map(row);
  const total = COLUMNS.map((_, column) => rows.reduce((sum, { cells }) => sum + (cells[column] ?? 0), 0));
  const lines = [...rows, { name: 'all', cells: total }].map(({ name, cells }) => line(name, cells.map(String)));
  const failures = parts.flatMap(failuresOf);
  return [line('kind', COLUMNS), ...lines, ...failures].join('\n');
}

/** What went wrong. */
export const failuresOf = ({ judged, steps }: Part): readonly string[] => [
  ...judged.flatMap(({ kind, mutation, failures }) => failures.map((failure) => `${kind}: ${mutation}: ${failure}`)),
  ...steps.filter(({ outcome }) => outcome === 'failed').map(lineOf),
];

/** A step, in a line. */
export const lineOf = ({ kind, home, mutation, message }: Step): string => `${kind} (${home}): ${mutation}: ${message}`;

function row({ subject, judged, chains, steps }: Part): { readonly name: string; readonly cells: readonly number[] } {
  const count = (...outcomes: readonly Step['outcome'][]): number =>
    steps.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const refused = judged.filter(({ accepted }) => !accepted).length + count('refused');
  const wrong = judged.filter(({ failures }) => failures.length > 0).length + count('failed');
  const cells = [
    propertiesOfSubject(subject).length,
    judged.length,
    refused,
    chains,
    steps.length,
    count('converged'),
    count('reported'),
    count('ended'),
    wrong,
  ];
  return { name: subject.kind.kind, cells };
}

const line = (name: string, cells: readonly string[]): string =>
  [name.padEnd(20), ...cells.map((cell) => cell.padStart(11))].join('');
