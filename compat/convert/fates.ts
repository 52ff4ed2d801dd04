import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../constructs/schema/json.ts';
import { plainPath } from './place.ts';
import type { Place } from './place.ts';

/** The field means the same in a field of ours. */
interface Taken {
  readonly fate: 'taken';
  /** Path of ours, from the root of the resource. */
  readonly to: string;
}

/** The field leads to a field of ours, and means something else there: a note says what. */
interface Changed {
  readonly fate: 'changed';
  readonly to: string;
  /**
   * What the note says.
   *
   * @default - the reader says it, as it depends on the rest of the resource
   */
  readonly how?: string;
}

/** The field has no equivalent: a note says what to do instead. */
interface Reported {
  readonly fate: 'reported';
  readonly why: string;
  /**
   * Values that say what is so here anyway: of these nothing is said.
   *
   * @default - none
   */
  readonly unless?: readonly Json[];
  /**
   * Whether all that is below is told as one, whatever its own fates are.
   *
   * @default false
   */
  readonly whole?: boolean;
}

/** The field has no effect that is not so here as well: its reader takes it, and nothing is said. A test has the list. */
interface Idle {
  readonly fate: 'idle';
  readonly why: string;
}

/** What happens to a field of others. */
export type Fate = Taken | Changed | Reported | Idle;

/**
 * What happens to the fields of a resource of others, by path without the indices of lists: `spec.containers.image`.
 * One holds for all below it; the longest path wins. A field without one is told as unknown.
 */
export type Fates = Readonly<Record<string, Fate>>;

/** No fates. */
export const NONE: Fates = {};

/** Taken over as it is. */
export const taken = (to: string): Fate => ({ fate: 'taken', to });

/** Taken over with another meaning. Without `how` the reader must say it by `Fields.note` or `Fields.tell`. */
export const changed = (to: string, how?: string): Fate => ({ fate: 'changed', to, ...(how !== undefined && { how }) });

/** Not taken over, for this reason. */
export const reported = (why: string, unless?: readonly Json[]): Fate => ({
  fate: 'reported',
  why,
  ...(unless !== undefined && { unless }),
});

/** Not taken over, with all that is below it, for this reason. */
export const reportedWhole = (why: string): Fate => ({ fate: 'reported', why, whole: true });

/** Whether what is at a place is told as one. */
export function isReportedWhole(fates: Fates, place: Place): boolean {
  const path = plainPath(place);
  const fate = Object.hasOwn(fates, path) ? fates[path] : undefined;
  return fate?.fate === 'reported' && fate.whole === true;
}

/** Of no effect, for this reason. */
export const idle = (why: string): Fate => ({ fate: 'idle', why });

/** The same fates below a path. */
export const below = (path: string, fates: Fates): Fates =>
  Object.fromEntries(Object.entries(fates).map(([name, fate]) => [`${path}.${name}`, fate]));

/** The same path for each of these names, as it is there: fields that keep their names. */
export const same = (names: readonly string[], to: (name: string) => string): Fates =>
  Object.fromEntries(names.map((name) => [name, taken(to(name))]));

/** What happens to the field at a place; undefined where nobody has said. */
export function fateOf(fates: Fates, place: Place): Fate | undefined {
  const whole = place.findIndex((_, index) => isReportedWhole(fates, place.slice(0, index + 1)));
  if (whole >= 0) return fates[plainPath(place.slice(0, whole + 1))];
  for (let end = place.length; end > 0; end -= 1) {
    const path = plainPath(place.slice(0, end));
    if (Object.hasOwn(fates, path)) return fates[path];
  }
  return undefined;
}

/** Whether a field is said to mean nothing with this value. */
export const matchesDefault = (fate: Fate | undefined, value: Json): boolean =>
  fate?.fate === 'reported' && (fate.unless ?? []).some((each) => isDeepStrictEqual(each, value));

/** What is said of a field that was not taken over. */
export function lossOf(fate: Fate | undefined, value: Json): string {
  if (value === null) return 'says nothing';
  if (fate === undefined) return 'has no equivalent: no field of that name is known';
  return 'why' in fate ? fate.why : `is not carried over: ${fate.to} can't say this`;
}

/** The paths below which fields have fates of their own. */
export function pathsAbove(fates: Fates): ReadonlySet<string> {
  const known = above.get(fates);
  if (known !== undefined) return known;
  const found = new Set(
    Object.keys(fates).flatMap((path) => {
      const steps = path.split('.');
      return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('.'));
    }),
  );
  above.set(fates, found);
  return found;
}

const above = new WeakMap<Fates, ReadonlySet<string>>();
