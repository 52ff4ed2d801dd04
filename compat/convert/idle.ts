import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { valueAt, without } from './place.ts';
import type { Place } from './place.ts';

/** A field that does nothing. */
export interface Idle {
  /** Where it is in the spec. */
  readonly place: Place;
  readonly value: Json;
}

/** How to tell what a spec comes to. */
interface Conversion {
  /** A spec with its defaults. */
  readonly complete: (spec: Json) => Json;
  /** What it leads to. */
  readonly equivalentOf: (spec: Json) => unknown;
}

/** The topmost fields without which the equivalent of a spec would be the same, though they are no defaults. */
export function idleIn(spec: Json, conversion: Conversion, place: Place = []): readonly Idle[] {
  const { complete, equivalentOf } = conversion;
  const here = valueAt(spec, place);
  if (!isObject(here)) return [];
  return Object.entries(here).flatMap(([name, value]) => {
    const at = [...place, name];
    const rest = without(spec, at);
    if (isDeepStrictEqual(complete(rest), complete(spec))) return [];
    return isDeepStrictEqual(equivalentOf(rest), equivalentOf(spec))
      ? [{ place: at, value }]
      : idleIn(spec, conversion, at);
  });
}
