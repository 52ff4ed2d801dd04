import { isList, isObject } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';

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

/**
 * A resource of others, read field by field. What was not read by the end is what has no equal: so nothing can be
 * dropped in silence, whatever fields there may be.
 */
export class Fields {
  readonly notes: Note[];
  readonly #root: Json;
  readonly #path: string;
  readonly #read: Set<string>;

  constructor(root: Json, path: string, shared?: { readonly notes: Note[]; readonly read: Set<string> }) {
    this.#root = root;
    this.#path = path;
    this.notes = shared?.notes ?? [];
    this.#read = shared?.read ?? new Set();
  }

  /** The value at a path below, which then has its equal as a whole. */
  take(path: string): Json | undefined {
    const value = this.peek(path);
    if (value !== undefined) this.#read.add(this.#under(path));
    return value;
  }

  /** The text at a path below; anything else is left to be told. */
  text(path: string): string | undefined {
    const value = this.peek(path);
    if (typeof value !== 'string') return undefined;
    this.take(path);
    return value;
  }

  /** The number at a path below; anything else is left to be told. */
  number(path: string): number | undefined {
    const value = this.peek(path);
    if (typeof value !== 'number') return undefined;
    this.take(path);
    return value;
  }

  /** The value at a path below, or of the field of that very name (`nvidia.com/gpu`); nothing is said of it by that. */
  peek(path: string): Json | undefined {
    if (isObject(this.#root) && Object.hasOwn(this.#root, path)) return this.#root[path];
    return stepsOf(path).reduce<Json | undefined>((value, step) => {
      if (isList(value)) return value[Number(step)];
      return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }, this.#root);
  }

  /** The object at a path below; one without fields where there is none. */
  at(path: string): Fields {
    return new Fields(this.peek(path) ?? {}, this.#under(path), { notes: this.notes, read: this.#read });
  }

  /** The items of the list at a path below. */
  items(path: string): readonly Fields[] {
    const list = this.peek(path);
    return isList(list) ? list.map((_, index) => this.at(`${path}[${index}]`)) : [];
  }

  /** The names of the fields here. */
  get names(): readonly string[] {
    return isObject(this.#root) ? Object.keys(this.#root) : [];
  }

  /** Says something of what was chosen, since the resource does not say it, or says it in another way. */
  note(path: string, message: string): void {
    const value = this.peek(path);
    this.notes.push({ path: this.#under(path), message, ...(value !== undefined && { value }) });
  }

  /** What has no equal: the topmost fields of which nothing was read. */
  leftover(hints: Hints): readonly Note[] {
    return leavesOf(this.peek('spec') ?? {}, 'spec', this.#read).map(({ path, value }) => ({
      path,
      value,
      message: hintFor(hints, path) ?? 'has no equal',
    }));
  }

  #under(path: string): string {
    return path.startsWith('[') || this.#path === '' ? `${this.#path}${path}` : `${this.#path}.${path}`;
  }
}

/** A path as its steps: `spec.containers[0].image`. */
const stepsOf = (path: string): readonly string[] => path.split(/[.[\]]+/).filter((step) => step !== '');

function leavesOf(value: Json, path: string, read: ReadonlySet<string>): readonly { path: string; value: Json }[] {
  if (read.has(path)) return [];
  const isTouched = [...read].some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`));
  if (!isTouched && path !== 'spec') return [{ path, value }];
  if (isList(value)) return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`, read));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, child]) => leavesOf(child, `${path}.${name}`, read));
  return [{ path, value }];
}

function hintFor(hints: Hints, path: string): string | undefined {
  const plain = path.replaceAll(/\[\d+\]/g, '');
  const known = Object.keys(hints).filter((field) => plain === field || plain.startsWith(`${field}.`));
  const [longest] = known.toSorted((a, b) => b.length - a.length);
  return longest === undefined ? undefined : hints[longest];
}
