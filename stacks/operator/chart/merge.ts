import { isDeepStrictEqual } from 'node:util';
import { hasSymbol, type Switch } from './symbols.ts';

/**
 * What is rendered, for all values at once. A construct is a plain function of its settings; it is run with each switch
 * on and off, and what comes and goes with a switch is put under a condition.
 */
export type Tree =
  /** The same for all values. */
  | { readonly is: 'plain'; readonly value: unknown }
  /** Text with symbols. */
  | { readonly is: 'text'; readonly value: unknown }
  | { readonly is: 'list' | 'map'; readonly entries: readonly Entry[] }
  /** One of two, by a switch. */
  | { readonly is: 'choice'; readonly by: string; readonly on: Tree; readonly off: Tree };

/** An item of a list, or a field of a map, by its key. */
export interface Entry {
  readonly key: string;
  readonly value: Tree;
  /** What must hold for it to be there. */
  readonly when: readonly Condition[];
}

/** That the switch of an expression is on, or off. */
export interface Condition {
  readonly expression: string;
  readonly on: boolean;
}

/** The same place with a switch off. */
interface Variant {
  readonly by: Switch;
  readonly value: unknown;
  /** Its tree, which tells of all other switches. */
  readonly tree: () => Tree;
}

type Render = (off: readonly Switch[]) => Readonly<Record<string, unknown>>;

/**
 * What `render` gives, by its keys.
 *
 * @param off - switches that are off in all of it
 */
export function entriesOf(render: Render, switches: readonly Switch[], off: readonly Switch[] = []): readonly Entry[] {
  const free = switches.filter((candidate) => !off.includes(candidate));
  const variants = free.map((by): Variant => {
    const without = [...off, by];
    let tree: Tree | undefined;
    const entries = () => entriesOf(render, switches, without);
    return { by, value: render(without), tree: () => (tree ??= { is: 'map', entries: entries() }) };
  });
  return mergeEntries(childrenOf(render(off)), variants);
}

function merge(value: unknown, all: readonly Variant[]): Tree {
  const variants = all.filter((variant) => !isDeepStrictEqual(variant.value, value));
  if (variants.length === 0 && !hasSymbol(value)) return { is: 'plain', value };
  const is = shapeOf(value);
  const other = variants.find((variant) => shapeOf(variant.value) !== is || is === 'text' || is === 'empty');
  if (other !== undefined) {
    const rest = variants.filter((variant) => variant !== other);
    return { is: 'choice', by: other.by.expression, on: merge(value, rest), off: other.tree() };
  }
  return is === 'list' || is === 'map'
    ? { is, entries: mergeEntries(childrenOf(value), variants) }
    : { is: 'text', value };
}

function mergeEntries(children: ReadonlyMap<string, unknown>, variants: readonly Variant[]): readonly Entry[] {
  const entries = [...children].map(([key, value]): Entry => {
    const [lacking, having] = partition(variants, (variant) => !childrenOf(variant.value).has(key));
    return {
      key,
      when: lacking.map(({ by }) => ({ expression: by.expression, on: true })),
      value: merge(
        value,
        having.map((variant) => childOf(variant, key)),
      ),
    };
  });
  for (const variant of variants) {
    let place = 0;
    for (const key of childrenOf(variant.value).keys()) {
      const known = entries.findIndex((entry) => entry.key === key);
      if (known >= 0) place = known + 1;
      else entries.splice(place++, 0, onlyIn(variant, key));
    }
  }
  return entries;
}

const childOf = ({ by, value, tree }: Variant, key: string): Variant => ({
  by,
  value: childrenOf(value).get(key),
  tree: () => entryOf(tree(), key).value,
});

/** What is there only while a switch is off. */
function onlyIn({ by, tree }: Variant, key: string): Entry {
  const { value, when } = entryOf(tree(), key);
  return { key, value, when: [{ expression: by.expression, on: false }, ...when] };
}

function entryOf(tree: Tree, key: string): Entry {
  if (tree.is === 'plain') return { key, value: { is: 'plain', value: childrenOf(tree.value).get(key) }, when: [] };
  const entry =
    tree.is === 'list' || tree.is === 'map' ? tree.entries.find((candidate) => candidate.key === key) : undefined;
  if (entry === undefined) throw new Error(`${key} depends on its neighbours in a way that a chart can't tell`);
  return entry;
}

/** An empty list or map is none whose fields happen to be off: an empty selector selects all. */
function shapeOf(value: unknown): 'empty' | 'list' | 'map' | 'text' {
  if (typeof value !== 'object' || value === null) return 'text';
  if (Object.keys(value).length === 0) return 'empty';
  return Array.isArray(value) ? 'list' : 'map';
}

/** Fields by name; items by theirs where they have one, and else by what they are. */
const childrenOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(Array.isArray(value) ? value.map((item) => [identityOf(item), item]) : Object.entries(value ?? {}));

function identityOf(item: unknown): string {
  const name = typeof item === 'object' && item !== null && 'name' in item ? item.name : undefined;
  return typeof name === 'string' ? name : JSON.stringify(item);
}

function partition<T>(items: readonly T[], belongs: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
