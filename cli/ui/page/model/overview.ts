import type { ResourceLine } from '../../api.ts';

type State = ResourceLine['state'];

/** What needs somebody comes first. */
const ORDER: Readonly<Record<State, number>> = { failed: 0, waiting: 1, ok: 2 };

/** Resources that have each word of a filter in some of their columns: failed ones first, then by name. */
export function shownResources(resources: readonly ResourceLine[], filter: string): readonly ResourceLine[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return resources
    .filter((resource) => words.length === 0 || hasEach(resource, words))
    .toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || byName(a, b));
}

function hasEach({ kind, namespace, name, phase, message }: ResourceLine, words: readonly string[]): boolean {
  const text = [`${kind}/${name}`, namespace, phase, message].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Number 10 comes after number 9. One collator for all: to make one for each comparison takes most of the time. */
const NAMES = new Intl.Collator('en', { numeric: true });

const byName = (a: ResourceLine, b: ResourceLine): number =>
  NAMES.compare(a.namespace, b.namespace) || NAMES.compare(a.name, b.name) || NAMES.compare(a.kind, b.kind);

/** How many resources are in each state. */
export type Counts = Readonly<Record<State, number>>;

/** How many resources are in each state. */
export function countsOf(resources: readonly ResourceLine[]): Counts {
  const counts = { failed: 0, waiting: 0, ok: 0 };
  for (const { state } of resources) counts[state] += 1;
  return counts;
}

/** How many there are: `3 of 12 resources`, and `12 resources` where a filter leaves none out. */
export function wordsOfCount(shown: number, all: number): string {
  const words = `${all} ${all === 1 ? 'resource' : 'resources'}`;
  return shown === all ? words : `${shown} of ${words}`;
}

/** The namespaces that one can choose: those that were seen, and the one that is chosen. */
export const namespacesOf = (...seen: readonly (readonly string[])[]): readonly string[] =>
  [...new Set(seen.flat())].filter(Boolean).toSorted(NAMES.compare);
