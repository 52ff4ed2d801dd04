import { isList, isObject, own } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { valueAt, written } from './place.ts';
import type { Place } from './place.ts';

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

/** What is known of fields that have no equal, by path; one holds for all that is below it. */
export type Hints = Readonly<Record<string, string>>;

/** What was read of a resource. */
class Reading {
  readonly notes: Note[] = [];
  readonly #taken = new Set<string>();
  readonly #touched = new Set<string>();

  take(place: Place): void {
    this.#taken.add(JSON.stringify(place));
    for (let end = 0; end < place.length; end += 1) this.#touched.add(JSON.stringify(place.slice(0, end)));
  }

  isTaken = (place: Place): boolean => this.#taken.has(JSON.stringify(place));

  /** Whether anything below was read. */
  isTouched = (place: Place): boolean => this.#touched.has(JSON.stringify(place));
}

/**
 * A resource of others, read field by field. What was not read by the end is what has no equal: so nothing can be
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

  /** The value at a path below, which then has its equal as a whole. */
  take(path: string): Json | undefined {
    const value = this.peek(path);
    if (value !== undefined) this.#reading.take(this.#under(path));
    return value;
  }

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

  /** Says something of what was chosen in the equal, by its path there. */
  tell(path: string, message: string): void {
    this.#reading.notes.push({ path, message });
  }

  /** What has no equal: the topmost fields of which nothing was read. */
  leftover(hints: Hints): readonly Note[] {
    return this.#leaves(this.#value, this.#place).map(({ place, value }) => ({
      path: written(place),
      value,
      message: hintFor(hints, place) ?? (value === null ? 'says nothing' : 'has no equal'),
    }));
  }

  #takeIf<Wanted extends Json>(path: string, isWanted: (value: Json) => value is Wanted): Wanted | undefined {
    const value = this.peek(path);
    if (value === undefined || !isWanted(value)) return undefined;
    this.take(path);
    return value;
  }

  #stepsOf(path: string): Place {
    const isName = isObject(this.#value) && own(this.#value, path) !== undefined;
    return isName ? [path] : path.split('.');
  }

  #under = (path: string): Place => [...this.#place, ...this.#stepsOf(path)];

  #leaves(value: Json, place: Place): readonly Placed[] {
    if (this.#reading.isTaken(place)) return [];
    // Of a spec of which nothing is known, each field is told.
    const isOpened = place.length <= 1 || this.#reading.isTouched(place);
    const below = isOpened ? placesBelow(value, place) : [];
    if (below.length > 0) return below.flatMap((each) => this.#leaves(each.value, each.place));
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

function hintFor(hints: Hints, place: Place): string | undefined {
  const plain = place.filter((step) => typeof step === 'string').join('.');
  const known = Object.keys(hints).filter((field) => plain === field || plain.startsWith(`${field}.`));
  const [longest] = known.toSorted((a, b) => b.length - a.length);
  return longest === undefined ? undefined : hints[longest];
}
