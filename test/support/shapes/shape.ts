import { KUBERNETES } from './kubernetes.ts';

/** A field of a schema that holds nothing further. */
export interface Leaf {
  /** `[]` stands for an item of a list, `*` for a key of a map. */
  readonly path: readonly string[];
  /** `text`, `int`, `bool`, `amount`, `number`, `any`, or what is allowed with `|` between. */
  readonly type: string;
}

type Shape = string | Fields;
type Fields = { readonly [name: string]: Shape };

/** `...Definition`, `[]`, a brace, `:type`, or a name. */
const TOKEN = /\.{3}\w+|\[\]|[{}]|:[^\s{}]+|[^\s{}[\]:]+/g;

/**
 * The leaves of a schema that is written as the files here do: `name`, `name:int`, `list[]`, `object{ … }`,
 * `name:Definition` and `...Definition`, which takes in the fields of one.
 */
export const leavesOf = (text: string): readonly Leaf[] => leaves(new Parser(text, definitions()).fields(), []);

/** Definitions follow one another: each may name those before it. */
function definitions(): Fields {
  const found: Record<string, Shape> = {};
  Object.assign(found, new Parser(KUBERNETES, found).fields(found));
  return found;
}

function leaves(shape: Shape, path: readonly string[]): readonly Leaf[] {
  if (typeof shape === 'string') return [{ path, type: shape }];
  return Object.entries(shape).flatMap(([name, child]) => leaves(child, [...path, name]));
}

class Parser {
  readonly #tokens: readonly string[];
  readonly #known: Fields;
  #at = 0;

  constructor(text: string, known: Fields) {
    this.#tokens = text.match(TOKEN) ?? [];
    this.#known = known;
  }

  /** Up to the end, or to the brace that closes. */
  fields(found: Record<string, Shape> = {}): Fields {
    while (this.#peek() !== undefined && this.#peek() !== '}') {
      const token = this.#next();
      if (token.startsWith('...')) Object.assign(found, this.#defined(token.slice(3)));
      else found[token] = this.#value();
    }
    this.#at += 1;
    return found;
  }

  #value(): Shape {
    if (this.#peek() === '[]') {
      this.#next();
      return { '[]': this.#value() };
    }
    if (this.#peek() === '{') {
      this.#next();
      return this.fields();
    }
    return this.#peek()?.startsWith(':') === true ? this.#defined(this.#next().slice(1)) : 'text';
  }

  #defined = (name: string): Shape => this.#known[name] ?? name;
  #peek = (): string | undefined => this.#tokens[this.#at];
  #next = (): string => this.#tokens[this.#at++] ?? '';
}
