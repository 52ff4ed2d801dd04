import { isList, isObject, own } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';
import { fateOf, isReportedWhole, lossOf, pathsAbove, matchesDefault } from './fates.ts';
import type { Fates } from './fates.ts';
import { plainPath, valueAt, written } from './place.ts';
import type { Place } from './place.ts';
import { known } from './known.ts';

/** Something about a field that a person must know. */
export interface Note {
  /** Its path from the root of the resource. */
  readonly path: string;
  /**
   * What was there.
   *
   * @default - nothing
   */
  readonly value?: Json;
  readonly message: string;
}

/** What was read of a resource. */
class Reading {
  readonly notes: Note[] = [];
  readonly #taken = new Set<string>();
  readonly #touched = new Set<string>();

  take(place: Place): void {
    this.#taken.add(JSON.stringify(place));
    for (let end = 0; end < place.length; end += 1) this.#touched.add(JSON.stringify(place.slice(0, end)));
  }

  isHandled = (place: Place): boolean => this.#taken.has(JSON.stringify(place));

  get taken(): readonly Place[] {
    return [...this.#taken].map((place) => JSON.parse(place) as Place);
  }

  /** Whether anything below was read. */
  isTouched = (place: Place): boolean => this.#touched.has(JSON.stringify(place));
}

/**
 * A resource of others, read field by field. What was not read by the end is what has no equivalent: so nothing can be
 * dropped in silence, whatever fields there may be. A field that is null says nothing, and is never read.
 */
export class Fields {
  readonly #value: Json;
  readonly #place: Place;
  readonly #reading: Reading;

  /** @param value - a whole resource */
  constructor(value: Json, place: Place = [], reading = new Reading()) {
    this.#value = value;
    this.#place = place;
    this.#reading = reading;
  }

  /** What is said of fields so far. */
  get notes(): readonly Note[] {
    return this.#reading.notes;
  }

  /** The names of the fields here. */
  get names(): readonly string[] {
    return isObject(this.#value) ? Object.keys(this.#value) : [];
  }

  /** The value at a path below, or of the field of that very name (`nvidia.com/gpu`); nothing is said of it by that. */
  peek(path: string): Json | undefined {
    return valueAt(this.#value, this.#stepsOf(path)) ?? undefined;
  }

  /** The value at a path below, which then has its equivalent as a whole. */
  take(path: string): Json | undefined {
    const value = this.peek(path);
    if (value !== undefined) this.#reading.take(this.#under(path));
    return value;
  }

  /**
   * What of the value at a path below a schema of ours takes; undefined where that is nothing. What the schema does not
   * know, or not with this value, is left to be told.
   */
  carry(path: string, schema: StructuralSchema): Json | undefined {
    const value = this.peek(path);
    if (value === undefined) return undefined;
    return known(schema, value, { at: this.#under(path), take: (place) => this.#reading.take(place) });
  }

  /** Whether this is the same place of the resource as another. */
  isAt = (other: Fields): boolean => written(this.#place) === written(other.#place);

  /** Whether the value at a path below was read as a whole. */
  isHandled = (path: string): boolean => this.#reading.isHandled(this.#under(path));

  /** The text at a path below; anything else is left to be told. */
  text = (path: string): string | undefined => this.#takeIf(path, (value) => typeof value === 'string');

  /** The number at a path below; anything else is left to be told. */
  number = (path: string): number | undefined => this.#takeIf(path, (value) => typeof value === 'number');

  /** The truth value at a path below; anything else is left to be told. */
  flag = (path: string): boolean | undefined => this.#takeIf(path, (value) => typeof value === 'boolean');

  /** The list of texts at a path below; anything else is left to be told. */
  texts = (path: string): readonly string[] | undefined =>
    this.#takeIf(
      path,
      (value): value is readonly string[] => isList(value) && value.every((item) => typeof item === 'string'),
    );

  /**
   * The whole number at a path below, which may be a text as well; anything else is left to be told.
   *
   * @param only - the one to take; any other is left as well
   */
  count(path: string, only?: number): number | undefined {
    const value = this.peek(path);
    const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
    if (!/^\d{1,9}$/.test(text) || (only !== undefined && Number(text) !== only)) return undefined;
    this.take(path);
    return Number(text);
  }

  /** The object at a path below; one without fields where there is none. */
  at(path: string): Fields {
    return new Fields(this.peek(path) ?? {}, this.#under(path), this.#reading);
  }

  /** One without fields, instead of what a path below should lead to. */
  none = (path: string): Fields => new Fields({}, this.#under(path), this.#reading);

  /** The items of the list at a path below. */
  items(path: string): readonly Fields[] {
    const list = this.peek(path);
    const place = this.#under(path);
    return isList(list) ? list.map((item, index) => new Fields(item, [...place, index], this.#reading)) : [];
  }

  /** Says something of what was chosen, since the resource does not say it, or says it in another way. */
  note(path: string, message: string): void {
    const value = this.peek(path);
    this.#reading.notes.push({ path: written(this.#under(path)), message, ...(value !== undefined && { value }) });
  }

  /** Says something of what was chosen in the equivalent, by its path there. */
  report(path: string, message: string): void {
    this.#reading.notes.push({ path, message });
  }

  /** What was taken over with another meaning, as the fates of these fields say. */
  changed(fates: Fates): readonly Note[] {
    const reported = new Set<string>();
    return this.#reading.taken.flatMap((place) =>
      place.flatMap((_, index) => {
        const at = place.slice(0, index + 1);
        const fate = Object.hasOwn(fates, plainPath(at)) ? fates[plainPath(at)] : undefined;
        if (fate?.fate !== 'changed' || fate.how === undefined || reported.has(written(at))) return [];
        reported.add(written(at));
        const value = valueAt(this.#value, at);
        return [{ path: written(at), message: fate.how, ...(value !== undefined && { value }) }];
      }),
    );
  }

  /** What has no equivalent: the topmost fields of which nothing was read. */
  leftover(fates: Fates): readonly Note[] {
    const opened = pathsAbove(fates);
    const isOpened = (place: Place) => opened.has(plainPath(place)) && !isReportedWhole(fates, place);
    return this.#leaves(this.#value, this.#place, isOpened).flatMap(({ place, value }) => {
      const fate = fateOf(fates, place);
      if (matchesDefault(fate, value)) return [];
      // Of what has fields of its own there is nothing left where it has none.
      const message = fate === undefined && opened.has(plainPath(place)) ? lossOf(fate, null) : lossOf(fate, value);
      return [{ path: written(place), value, message }];
    });
  }

  #takeIf<Wanted extends Json>(path: string, isWanted: (value: Json) => value is Wanted): Wanted | undefined {
    const value = this.peek(path);
    if (value === undefined || !isWanted(value)) return undefined;
    this.take(path);
    return value;
  }

  #stepsOf(path: string): Place {
    if (path === '') return [];
    const isName = isObject(this.#value) && own(this.#value, path) !== undefined;
    return isName ? [path] : path.split('.');
  }

  #under = (path: string): Place => [...this.#place, ...this.#stepsOf(path)];

  #leaves(value: Json, place: Place, hasOwnFates: (place: Place) => boolean): readonly Placed[] {
    if (this.#reading.isHandled(place)) return [];
    // Of a spec of which nothing is known, each field is told; of what has several fates below it, each by its own.
    const isOpened = place.length <= 1 || this.#reading.isTouched(place) || hasOwnFates(place);
    const below = isOpened ? placesBelow(value, place) : [];
    if (below.length > 0) return below.flatMap((each) => this.#leaves(each.value, each.place, hasOwnFates));
    return [{ place, value }];
  }
}

/** A value, and where it is. */
interface Placed {
  readonly place: Place;
  readonly value: Json;
}

function placesBelow(value: Json, place: Place): readonly Placed[] {
  if (isList(value)) return value.map((item, index) => ({ place: [...place, index], value: item }));
  if (!isObject(value)) return [];
  return Object.entries(value).map(([name, child]) => ({ place: [...place, name], value: child }));
}
