import * as pulumi from '@pulumi/pulumi';

/** Text that may be known later only. */
export type Text = pulumi.Input<string> | Template;

/**
 * What a construct takes, with text that may be known later. What decides which objects there are stays plain: numbers,
 * switches, choices from a list, the keys of maps, and how many items a list has. So a preview is always complete.
 */
export type Inputs<T> = T extends string
  ? string extends T
    ? Text
    : T
  : T extends readonly (infer Item)[]
    ? readonly Inputs<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Inputs<T[K]> }
      : T;

/** Text of which some parts are plain and others may be known later. Made by `text`. */
export class Template {
  readonly #parts: readonly string[];
  /** The whole text. */
  readonly output: pulumi.Output<string>;

  constructor(parts: readonly string[], holes: readonly pulumi.Input<string>[]) {
    this.#parts = parts;
    this.output = pulumi.all([...holes]).apply((texts) => joined(parts, texts));
  }

  /** The text with the same in place of all that is not plain. */
  filledWith(standIn: string): string {
    return this.#parts.join(standIn);
  }
}

/**
 * Text around Outputs, whose plain parts can be read at once: a URI's scheme, which decides how a model is fetched, in
 * `` text`s3://${bucket.bucket}/llama/` ``. `pulumi.interpolate` hides them.
 */
export function text(parts: TemplateStringsArray, ...holes: readonly pulumi.Input<string>[]): Template {
  return new Template(parts, holes);
}

const joined = (parts: readonly string[], texts: readonly string[]): string =>
  parts.map((part, index) => part + (texts[index] ?? '')).join('');

/** A place in the arguments whose text may be known later only. */
export class EventualText {
  /** Where, as a path from the root of the resource: `spec.env[0].value`. */
  readonly path: string;
  /** What it will be. */
  readonly output: pulumi.Output<unknown>;
  /** What it looks like with placeholders for all that is not plain. */
  readonly filledWith: (standIn: string) => string;

  constructor(path: string, value: pulumi.Output<unknown> | Promise<unknown> | Template) {
    const template = value instanceof Template ? value : undefined;
    this.path = path;
    this.output = template?.output ?? pulumi.output(value);
    this.filledWith = (standIn) => template?.filledWith(standIn) ?? standIn;
  }
}

/** The same value with every Output, promise and template marked as eventual text. */
export function marked(value: unknown, path: string): unknown {
  if (value instanceof Template || value instanceof Promise || pulumi.Output.isInstance(value)) {
    return new EventualText(path, value);
  }
  return descend(value, (child, key) => marked(child, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`));
}

/** The same value with an Output in place of every template: what the SDK takes. */
export function resolved(value: unknown): unknown {
  if (value instanceof Template) return value.output;
  return value instanceof Promise || pulumi.Output.isInstance(value) ? value : descend(value, resolved);
}

/** All eventual texts of a marked value. */
export function eventualTextsOf(value: unknown): readonly EventualText[] {
  if (value instanceof EventualText) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(eventualTextsOf) : [];
}

/** A marked value with texts in the places of eventual ones. */
export function filled(value: unknown, textOf: (eventual: EventualText) => string): unknown {
  return value instanceof EventualText ? textOf(value) : descend(value, (child) => filled(child, textOf));
}

/** Changes what a list or an object holds; all else stays as it is. */
function descend(value: unknown, change: (child: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item, index) => change(item, String(index)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, change(child, key)]));
}
