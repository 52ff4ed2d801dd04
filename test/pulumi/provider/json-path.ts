/**
 * The JSONPath of RFC 9535 as far as our programs use it, as the provider does: `{.status.conditions[?FILTER].type}`,
 * where a filter compares texts with `==` and joins with `&&`, `||` and parentheses. The provider has it from
 * github.com/theory/jsonpath; its pkg/jsonpath/jsonpath.go says that a path without a value matches once it finds anything.
 */
import { isObject } from './wire.ts';

type Test = (candidate: unknown) => boolean;

/** Whether an expression of `pulumi.com/waitFor` finds anything. */
export function finds(expression: string, object: unknown): boolean {
  const [, list = '', filter, field = ''] = /^jsonpath=\{((?:\.\w+)+)\[\?(.+)\]\.(\w+)\}$/.exec(expression) ?? [];
  if (filter === undefined) throw new Error(`The stand-in does not know ${expression}`);
  // More than one = that stands alone is refused, since what follows it is a value.
  if (expression.replace('jsonpath=', '').replaceAll('==', '').includes('='))
    throw new Error(`format of ${expression}`);
  const items = list.split('.').slice(1).reduce<unknown>(stepped, object);
  const test = new Filter(filter).parsed();
  return Array.isArray(items) && items.some((item) => test(item) && stepped(item, field) !== undefined);
}

const stepped = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

/** A filter, read from left to right: `&&` binds more closely than `||`. */
class Filter {
  readonly #tokens: string[];

  constructor(text: string) {
    this.#tokens = text.match(/\(|\)|&&|\|\||@\.\w+=="[^"]*"|\S+/g) ?? [];
  }

  parsed(): Test {
    const test = this.#either();
    if (this.#tokens.length > 0) throw new Error(`unexpected ${this.#tokens.join(' ')}`);
    return test;
  }

  #either(): Test {
    const first = this.#both();
    if (this.#tokens[0] !== '||') return first;
    this.#tokens.shift();
    const other = this.#either();
    return (candidate) => first(candidate) || other(candidate);
  }

  #both(): Test {
    const first = this.#one();
    if (this.#tokens[0] !== '&&') return first;
    this.#tokens.shift();
    const other = this.#both();
    return (candidate) => first(candidate) && other(candidate);
  }

  #one(): Test {
    const token = this.#tokens.shift() ?? '';
    if (token === '(') {
      const inner = this.#either();
      if (this.#tokens.shift() !== ')') throw new Error('expected )');
      return inner;
    }
    const [, key, text] = /^@\.(\w+)=="([^"]*)"$/.exec(token) ?? [];
    if (key === undefined) throw new Error(`unexpected ${token}`);
    return (candidate) => stepped(candidate, key) === text;
  }
}
