import { describe, expect, test } from 'vitest';
import type { Json } from '../../../constructs/schema/json.ts';
import { chainsOf, problemsOf, shuffled } from '../../mutations/chains.ts';
import { mutationsOf } from '../../mutations/mutations.ts';
import { subjects } from '../../mutations/subjects/index.ts';

/** How many of a kind's mutations are looked at. */
const SAMPLE = 100;
const SEED = 20_261_121;

function frozen<T extends Json>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

describe.each(subjects)('of the kind $kind.kind', (subject) => {
  const all = mutationsOf(subject);
  const sample = shuffled(all, SEED).slice(0, SAMPLE);
  const specOf = ({ home, of }: (typeof all)[number]) => of(frozen(subject.homes[home] ?? {}));

  test('a mutation has the same result each time, and leaves what it was given as it is', () => {
    for (const mutation of sample) expect(JSON.stringify(specOf(mutation))).toBe(JSON.stringify(specOf(mutation)));
  });

  test('a mutated spec is rendered, or refused with the paths of what is wrong', () => {
    for (const mutation of sample) {
      const spec = specOf(mutation);
      const problems = problemsOf(subject, spec);
      for (const { path, message } of problems)
        expect([path, message]).toEqual([expect.stringMatching(/^spec\b/), expect.stringMatching(/\S/)]);
      if (problems.length === 0) subject.render('mutated', 'default', spec, {});
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('chains of ten have each valid mutation once, in the same order for the same seed', () => {
    const chains = chainsOf(subject, sample, SEED);
    const names = chains.flatMap(({ home, mutations }) => mutations.map(({ name }) => `${home}: ${name}`));
    expect(new Set(names).size).toBe(names.length);
    expect(chains.every(({ mutations }) => mutations.length <= 10)).toBe(true);
    const again = chainsOf(subject, sample, SEED).flatMap(({ home, mutations }) =>
      mutations.map(({ name }) => `${home}: ${name}`),
    );
    expect(again).toEqual(names);
  });
});
