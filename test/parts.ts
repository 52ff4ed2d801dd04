/** Parts that run one after the other. */
type Lane = readonly string[];

/** Lanes that run at the same time. */
export type Row = readonly Lane[];

/**
 * All parts of the suite, row after row. Beside each other are parts that mostly wait for control planes; what judges time or
 * load has the machine for itself. In one lane, since they build the same `dist`: `install` and `package`.
 */
const ROWS: readonly Row[] = [
  [['unit']],
  [['cluster']],
  [['leadership']],
  [
    ['install', 'package'],
    ['docs', 'browser'],
    ['compat', 'pulumi', 'faults', 'operators', 'lws', 'monitoring'],
  ],
  [['real']],
  [['cost']],
  [['hostile']],
];

/** Only with `--all`: what measures, and what builds other projects first (Helm, Prometheus, Kueue, LeaderWorkerSet). */
const LONG: ReadonlySet<string> = new Set([
  'cost',
  'hostile',
  'compat',
  'install',
  'lws',
  'monitoring',
  'operators',
  'docs',
  'real',
]);

/** What `npm test` runs; `isAll` with what takes long. */
export const rows = (isAll: boolean): readonly Row[] =>
  ROWS.map((row) => row.map((lane) => lane.filter((part) => isAll || !LONG.has(part))))
    .map((row) => row.filter((lane) => lane.length > 0))
    .filter((row) => row.length > 0);
