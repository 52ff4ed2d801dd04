import { tableLines } from '../layout.ts';
import { inLines } from '../output.ts';
import type { Figures, NodeGpus, Table } from './types.ts';

const HEAD = [
  'NAMESPACE',
  'RESOURCE',
  'PHASE',
  'REPLICAS',
  'GPUS',
  'GPU%',
  'IDLE',
  'RUNNING',
  'WAITING',
  'TOK/S',
] as const;

/** What is not known. */
const UNKNOWN = '-';

/**
 * The table for a person.
 *
 * @param totals - whether each namespace has a line with its sums
 */
export function tableText(table: Table, totals: boolean): string {
  const { resources, namespaces, nodes, notes } = inLines(table);
  const rows = namespaces.flatMap(({ namespace, ...sums }) => [
    ...resources
      .filter((row) => row.namespace === namespace)
      .map((row) => [
        namespace,
        `${row.kind.toLowerCase()}/${row.name}`,
        row.phase || UNKNOWN,
        row.ready === undefined && row.desired === undefined
          ? UNKNOWN
          : `${row.ready ?? UNKNOWN}/${row.desired ?? UNKNOWN}`,
        ...cells(row),
      ]),
    ...(totals ? [[namespace, 'total', '', '', ...cells(sums)]] : []),
  ]);
  const parts = [
    ...(rows.length > 0 ? [tableLines(HEAD, rows).join('\n')] : []),
    ...(nodes === undefined ? [] : [nodesText(nodes)]),
    ...notes.map((note) => `note: ${note}`),
  ];
  return parts.length === 0 ? '' : `${parts.join('\n')}\n`;
}

function cells({ incomplete, ...figures }: Figures): readonly string[] {
  const { gpus, gpusWaiting = 0, gpuUtilisation, gpusIdle, running, waiting, tokensPerSecond } = figures;
  /** There is more: some pods did not answer. */
  const atLeast = (number: number | undefined): string =>
    number === undefined ? UNKNOWN : `${inDigits(number)}${incomplete === true ? '+' : ''}`;
  return [
    gpus === undefined ? UNKNOWN : `${gpus}${gpusWaiting > 0 ? ` (${gpusWaiting} waiting)` : ''}`,
    String(gpuUtilisation ?? UNKNOWN),
    String(gpusIdle ?? UNKNOWN),
    atLeast(running),
    atLeast(waiting),
    atLeast(tokensPerSecond),
  ];
}

/** Above 100 nobody reads a fraction. */
const inDigits = (number: number): string =>
  number >= 100 || Number.isInteger(number) ? String(Math.round(number)) : number.toFixed(1);

function nodesText({ total, ours, others, free, closed }: NodeGpus): string {
  const out = closed > 0 ? `, ${closed} on nodes that take no pods` : '';
  return `GPUs of the nodes: ${total}. Trunnion's resources hold ${ours}, other pods ${others}; ${free} are free${out}.`;
}
