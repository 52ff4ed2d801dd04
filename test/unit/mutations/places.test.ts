import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../constructs/schema/json.ts';
import { at, graft, locate, put, stepsOf, type Place } from '../../mutations/places.ts';

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

/** Every place of a value but its root. */
function placesIn(value: Json): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: readonly [string, Json]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return [[key], ...placesIn(inner).map((place) => [key, ...place])];
  });
}

/** A value with one of its places. */
const placed = json
  .filter((value) => placesIn(value).length > 0)
  .chain((value) => fc.record({ value: fc.constant(value), place: fc.constantFrom(...placesIn(value)) }));

test('the steps of a path tell items and values of maps', () => {
  expect(stepsOf('spec.env[].valueFrom')).toEqual(['env', '[]', 'valueFrom']);
  expect(stepsOf('spec.nodeSelector{}')).toEqual(['nodeSelector', '{}']);
});

test('of a list, the first item that has the property is found', () => {
  const spec = {
    env: [
      { name: 'a', value: '1' },
      { name: 'b', valueFrom: {} },
    ],
  };
  expect(locate(spec, stepsOf('spec.env[].valueFrom'))).toEqual(['env', 1, 'valueFrom']);
  expect(locate(spec, stepsOf('spec.env[].secret'))).toBeUndefined();
});

describe('a value that is put somewhere', () => {
  test('is there, and nothing else has changed', () => {
    fc.assert(
      fc.property(placed, json, ({ value, place }, inner) => {
        const changed = put(value, place, inner);
        expect(at(changed, place)).toEqual(inner);
        expect(put(changed, place, at(value, place))).toEqual(value);
      }),
    );
  });

  test('may be called like what every object has, and pollutes nothing', () => {
    const spec = put({}, ['labels', '__proto__'], { polluted: true });
    expect(JSON.stringify(spec)).toBe('{"labels":{"__proto__":{"polluted":true}}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('goes again, and a list is shorter then', () => {
    expect(put({ a: 1, b: 2 }, ['a'], undefined)).toEqual({ b: 2 });
    expect(put({ args: ['a', 'b'] }, ['args', 0], undefined)).toEqual({ args: ['b'] });
  });
});

test('what is grafted brings what an object needs, and of a list the whole item', () => {
  const home = { storage: { size: '1Gi', retain: true, accessMode: 'x' }, env: [{ name: 'a', value: '1' }] };
  expect(graft({}, home, ['storage', 'retain'], () => ['size'])).toEqual({ storage: { size: '1Gi', retain: true } });
  expect(graft({ env: [] }, home, ['env', 0, 'value'], () => [])).toEqual({ env: home.env });
});
