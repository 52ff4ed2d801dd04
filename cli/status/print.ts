import type { Io, Style } from '../io.ts';
import { inLines } from '../output.ts';
import { age, wrapped } from '../layout.ts';
import { largest } from '../../constructs/parts/values/index.ts';
import type { State, ResourceStatus, StatusNode } from './types.ts';

/** How much is shown, and how. */
export interface PrintOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether each pod is shown, however many there are. */
  readonly all: boolean;
  /** Columns; Infinity where nobody counts them. */
  readonly width: number;
  /** Makes text stand out. */
  readonly paint: (style: Style, text: string) => string;
}

/** The present, as a command's output takes it. */
export const printOptionsOf = (io: Pick<Io, 'paint' | 'width'>, all = false): PrintOptions => ({
  now: Date.now(),
  all,
  width: io.width,
  paint: (style, text) => io.paint(style, text),
});

const MARKS: Readonly<Record<State, readonly [mark: string, style: Style]>> = {
  ok: ['✓', 'green'],
  waiting: ['◌', 'yellow'],
  failed: ['✗', 'red'],
  absent: ['·', 'dim'],
  leaving: ['−', 'dim'],
};

/** Of pods that are well, so many are shown one by one. */
const FEW = 8;

/** How a resource is doing, as text. */
export function statusText(status: ResourceStatus, view: PrintOptions): string {
  const page = new Page(view);
  const { children, ...head } = inLines(status);
  return `${[...page.head(head), ...page.branches(children, view.width)].join('\n')}\n`;
}

/** What is told twice is told once in full: pods tend to have the same trouble, and conditions repeat it. */
const AGAIN = 'as above';

class Page {
  readonly #view: PrintOptions;
  readonly #reported = new Set<string>();

  constructor(view: PrintOptions) {
    this.#view = view;
  }

  head({
    kind,
    namespace,
    name,
    phase,
    createdAt,
    conditions,
    result,
    notes,
  }: Omit<ResourceStatus, 'children'>): string[] {
    const { paint, now, width } = this.#view;
    const title = paint('bold', `${kind} ${namespace}/${name}`);
    const column = largest(
      conditions.map(({ type }) => type.length),
      0,
    );
    return [
      `${title}  ${phase || 'not looked at yet'}  ${paint('dim', age(createdAt, now))}`,
      ...conditions.flatMap(({ type, status, reason, message }) => {
        const [first = '', ...rest] = wrapped(`${reason}${this.#once(message)}`, width - column - INDENT.length - 11);
        const continued = rest.map((line) => `${INDENT}${''.padEnd(column + 11)}${line}`);
        return [`${INDENT}${type.padEnd(column)}  ${status.padEnd(7)}  ${first}`, ...continued];
      }),
      ...(result === undefined ? [] : this.#printed(`Result: ${result}`)),
      ...notes.flatMap((note) => this.#printed(`! ${note}`)),
    ];
  }

  #printed(words: string): string[] {
    return wrapped(words, this.#view.width - INDENT.length).map((line) => `${INDENT}${line}`);
  }

  branches(nodes: readonly StatusNode[], width: number): string[] {
    const blocks = [
      ...shown(nodes, this.#view).map((node) => this.#node(node, width - BRANCH)),
      ...folded(nodes, this.#view),
    ];
    return blocks.flatMap(([first = '', ...rest], index) => {
      const isLast = index === blocks.length - 1;
      return [`${isLast ? '└─' : '├─'} ${first}`, ...rest.map((line) => `${isLast ? '  ' : '│ '} ${line}`)];
    });
  }

  #node({ kind, name, state, summary, because, children }: StatusNode, width: number): string[] {
    const { paint } = this.#view;
    const [mark, style] = MARKS[state];
    const reasons = because.flatMap((words) => {
      if (this.#reported.has(words)) return [AGAIN];
      this.#reported.add(words);
      return wrapped(words, width - BRANCH);
    });
    const below = this.branches(children, width);
    return [
      `${paint(style, mark)} ${kind} ${name}${summary === '' ? '' : `  ${paint('dim', summary)}`}`,
      ...reasons.map((line) => `${below.length > 0 ? '│ ' : '  '} ${paint(style, line)}`),
      ...below,
    ];
  }

  /** A condition's message, unless another has said it. */
  #once(message: string): string {
    if (message === '' || this.#reported.has(message)) return '';
    this.#reported.add(message);
    return `: ${message}`;
  }
}

const INDENT = '  ';
/** What a level of the tree takes. */
const BRANCH = 3;
const isFine = ({ kind, state }: StatusNode): boolean => kind === 'Pod' && state === 'ok';

const isCrowd = (nodes: readonly StatusNode[], { all }: PrintOptions): boolean =>
  !all && nodes.filter(isFine).length > FEW;

const shown = (nodes: readonly StatusNode[], view: PrintOptions): readonly StatusNode[] =>
  isCrowd(nodes, view) ? nodes.filter((node) => !isFine(node)) : nodes;

/** A line in place of pods that are well, where there are many. */
function folded(nodes: readonly StatusNode[], view: PrintOptions): string[][] {
  if (!isCrowd(nodes, view)) return [];
  const [mark, style] = MARKS.ok;
  const fine = nodes.filter(isFine);
  const more = fine.length === nodes.length ? '' : ' other';
  return [[`${view.paint(style, mark)} ${fine.length}${more} pods are well  ${view.paint('dim', '--all shows them')}`]];
}
