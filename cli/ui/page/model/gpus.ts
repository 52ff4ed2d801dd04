import type { Figures, NodeGpus, Row, Table } from '../../../top/types.ts';

/** A line of the table of GPUs. */
export interface GpuRow {
  readonly key: string;
  /** Absent in a line of sums. */
  readonly resource?: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly phase: string;
  readonly replicas: string;
  readonly gpus: string;
  /** In percent; undefined where nobody knows. */
  readonly used: number | undefined;
  readonly idle: string;
  readonly running: string;
  readonly waiting: string;
  readonly tokens: string;
}

/** A namespace with its resources. */
export interface GpuGroup {
  readonly namespace: string;
  readonly sums: GpuRow;
  readonly rows: readonly GpuRow[];
}

/** What is not known. */
export const UNKNOWN = '–';

/** The table, by namespace, with the resources that have one of the words of a filter. */
export function groupsOf({ namespaces, resources }: Table, filter: string): readonly GpuGroup[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = Map.groupBy(
    resources.filter((row) => words.every((word) => textOf(row).includes(word))),
    ({ namespace }) => namespace,
  );
  return namespaces.flatMap(({ namespace, ...sums }) => {
    const own = rows.get(namespace) ?? [];
    if (own.length === 0 && words.length > 0) return [];
    return [{ namespace, sums: { key: namespace, phase: '', replicas: '', ...cellsOf(sums) }, rows: own.map(rowOf) }];
  });
}

const textOf = ({ kind, namespace, name, phase }: Row): string =>
  `${kind}/${name}\n${namespace}\n${phase}`.toLowerCase();

function rowOf({ kind, namespace, name, phase, ready, desired, ...figures }: Row): GpuRow {
  const isCounted = ready !== undefined || desired !== undefined;
  return {
    key: `${namespace}/${kind}/${name}`,
    resource: { kind, namespace, name },
    phase: phase || UNKNOWN,
    replicas: isCounted ? `${ready ?? UNKNOWN}/${desired ?? UNKNOWN}` : UNKNOWN,
    ...cellsOf(figures),
  };
}

type Cells = Pick<GpuRow, 'gpus' | 'used' | 'idle' | 'running' | 'waiting' | 'tokens'>;

function cellsOf({ incomplete, ...figures }: Figures): Cells {
  const { gpus, gpusWaiting = 0, gpuUtilisation, gpusIdle, running, waiting, tokensPerSecond } = figures;
  /** There is more: some pods did not answer. */
  const atLeast = (number: number | undefined): string =>
    number === undefined ? UNKNOWN : `${inDigits(number)}${incomplete === true ? '+' : ''}`;
  return {
    gpus: gpus === undefined ? UNKNOWN : `${gpus}${gpusWaiting > 0 ? ` (${gpusWaiting} waiting)` : ''}`,
    used: gpuUtilisation,
    idle: String(gpusIdle ?? UNKNOWN),
    running: atLeast(running),
    waiting: atLeast(waiting),
    tokens: atLeast(tokensPerSecond),
  };
}

/** Above 100 nobody reads a fraction. */
const inDigits = (number: number): string =>
  number >= 100 || Number.isInteger(number) ? String(Math.round(number)) : number.toFixed(1);

/** A part of all GPUs of the nodes. */
export interface GpuPart {
  readonly id: 'ours' | 'others' | 'free' | 'closed';
  readonly words: string;
  readonly count: number;
  /** Where it begins, and how wide it is, in percent. */
  readonly x: number;
  readonly width: number;
}

/** Who has the GPUs of the nodes. */
export function partsOf({ total, ours, others, free, closed }: NodeGpus): readonly GpuPart[] {
  const parts = [
    ['ours', "held by Trunnion's resources", ours],
    ['others', 'held by other pods', others],
    ['free', 'free', free],
    ['closed', 'free, on nodes that take no pods', closed],
  ] as const;
  let before = 0;
  return parts.map(([id, words, count]) => {
    const x = total > 0 ? (before / total) * 100 : 0;
    before += count;
    return { id, words, count, x, width: total > 0 ? (count / total) * 100 : 0 };
  });
}
