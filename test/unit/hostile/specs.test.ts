import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { edge } from '../../hostile/support/edges.ts';
import { tenantKinds } from '../../hostile/support/kinds.ts';
import { changed, hostileSpec, placesOf } from '../../hostile/support/specs.ts';

const CHARACTERS = 2_000_000;

describe.for(tenantKinds)('what a hostile tenant makes of $type.kind', (kind) => {
  test('has a value for each field of its schema, which fits into a resource', () => {
    const places = placesOf(kind.spec);
    expect(places.map(({ place }) => place[0])).toEqual(
      expect.arrayContaining(Object.keys(kind.spec.properties ?? {})),
    );
    for (const { place, schema } of places) {
      for (const value of fc.sample(edge(schema, place.length), { numRuns: 5, seed: 1 })) {
        expect(JSON.stringify({ value }).length, place.join('.')).toBeLessThan(CHARACTERS);
      }
    }
  });

  test('is the same for the same seed', () => {
    const made = (seed: number) => JSON.stringify(fc.sample(hostileSpec(kind), { numRuns: 1, seed }));
    expect(made(7)).toBe(made(7));
    expect(made(7)).not.toBe(made(8));
  });
});

test.for([
  [{ a: 1 }, ['b', 'c'], { a: 1, b: { c: 0 } }],
  [{ a: { b: 1 } }, ['a', 'b'], { a: { b: 0 } }],
  [{ a: [{ b: 1 }, { b: 2 }] }, ['a', '*', 'b'], { a: [{ b: 0 }, { b: 2 }] }],
  [{ a: { x: 1, y: 2 } }, ['a', '*'], { a: { x: 0, y: 2 } }],
  [{}, ['a', '*', 'b'], { a: undefined }],
] as const)('of %j a change at %j makes %j', ([spec, place, wanted]) => {
  expect(changed(spec, { place, value: 0 })).toEqual(wanted);
});
