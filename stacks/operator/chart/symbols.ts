import type { Value } from './values.ts';

/**
 * Settings for a chart: in place of what a user will say stand *symbols*, text that no user writes. What is rendered
 * from them tells where each value goes.
 */
const [OPEN, CLOSE] = ['\u27e6', '\u27e7'];

/** Text between two symbols, and the expressions of the symbols, by turns; the first is text. */
export const partsOf = (text: string): readonly string[] => text.split(/\u27e6([^\u27e6\u27e7]*)\u27e7/);

/** A symbol for an expression of a template: `.Release.Namespace`. */
export const symbol = (expression: string): string => `${OPEN}${expression}${CLOSE}`;

/** The expression of a text that is one symbol and nothing else. */
export function expressionOf(text: string): string | undefined {
  const [before, expression, after, ...rest] = partsOf(text);
  return before === '' && after === '' && rest.length === 0 ? expression : undefined;
}

/** Whether any text in a value has a symbol. */
export function hasSymbol(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(OPEN);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => hasSymbol(key) || hasSymbol(inner));
}

/** What a value is to a template: `.Values.image.tag`. Helm reads every number as a fraction. */
const expression = ({ path, kind }: Value): string => `${kind === 'number' ? 'int ' : ''}.Values.${path.join('.')}`;

/** Whether an expression gives a number. */
export const isNumber = (text: string): boolean => text.startsWith('int ');

/** A value by which a part of what is rendered comes or goes. */
export interface Switch {
  /** True, or not empty, where it is on. */
  readonly expression: string;
  readonly path: readonly string[];
  /** What it is when it is off. */
  readonly off: unknown;
}

/** Those values that can be off: they are false or empty. */
export const switches = (values: readonly Value[]): readonly Switch[] =>
  values
    .filter(({ kind, mayBeEmpty }) => kind === 'flag' || mayBeEmpty)
    .map((value) => ({ expression: expression(value), path: value.path, off: EMPTY[value.kind] }));

const EMPTY = { text: '', number: 0, flag: false, list: [], map: {} } as const;

/** Settings in which every value is a symbol, but for switches that are off; of the type of the values. */
export function symbolicSettings(values: readonly Value[], off: readonly Switch[]): object {
  const settings: Tree = {};
  for (const value of values) set(settings, value.path, symbolFor(value));
  for (const { path, off: value } of off) set(settings, path, value);
  return settings;
}

/** A list or map that is a symbol has one item, so that it may be spread into another. */
function symbolFor(value: Value): unknown {
  const text = symbol(expression(value));
  if (value.kind === 'flag') return true;
  if (value.kind === 'map') return { [text]: '' };
  return value.kind === 'list' ? [{ [text]: '' }] : text;
}

interface Tree {
  [key: string]: unknown;
}

function set(tree: Tree, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) tree[key] = value;
  else set((tree[key] ??= {}) as Tree, rest, value);
}
