import * as fc from 'fast-check';
import { SpecError, type Problem } from '../../constructs/schema/error.ts';
import type { JsonObject } from '../../constructs/schema/json.ts';
import { parseSpec } from '../../constructs/schema/parse.ts';
import type { Mutation } from './mutations.ts';
import type { Subject } from './subjects/subject.ts';

/** Changes that one live resource goes through, one after the other. */
export interface Chain {
  readonly subject: Subject;
  /** The name of the spec that it begins and ends with. */
  readonly home: string;
  readonly mutations: readonly Mutation[];
}

/** What `parseSpec` finds wrong with a spec under the operator; nothing where it is valid. */
export function problemsOf(subject: Subject, spec: JsonObject, old?: JsonObject): readonly Problem[] {
  try {
    const resource = { name: 'mutated', namespace: 'default', host: 'operator' as const };
    parseSpec(subject.kind, { ...resource, spec, ...(old !== undefined && { old }) });
    return [];
  } catch (error) {
    if (error instanceof SpecError) return error.problems;
    throw error;
  }
}

/** In an order that looks like chance, and is the same for the same seed. */
export const shuffled = <T>(items: readonly T[], seed: number): readonly T[] =>
  fc.sample(fc.shuffledSubarray([...items], { minLength: items.length }), { numRuns: 1, seed })[0] ?? [];

/**
 * Chains of ten that together have every mutation that is valid by itself, once.
 *
 * @param seed - decides their order
 */
export function chainsOf(subject: Subject, mutations: readonly Mutation[], seed: number): readonly Chain[] {
  const byHome = Map.groupBy(distinct(subject, mutations), ({ home }) => home);
  return [...byHome].flatMap(([home, all]) =>
    inTens(shuffled(all, seed)).map((ten) => ({ subject, home, mutations: ten })),
  );
}

/** Those that make another valid spec of their home than the home itself, and than each other. */
function distinct({ homes, ...subject }: Subject, mutations: readonly Mutation[]): readonly Mutation[] {
  const seen = new Set(Object.entries(homes).map(([home, spec]) => home + JSON.stringify(spec)));
  return mutations.filter((mutation) => {
    const spec = mutation.of(homes[mutation.home] ?? {});
    const key = mutation.home + JSON.stringify(spec);
    if (seen.has(key) || problemsOf({ homes, ...subject }, spec).length > 0) return false;
    seen.add(key);
    return true;
  });
}

const inTens = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / 10) }, (_, index) => items.slice(index * 10, index * 10 + 10));
