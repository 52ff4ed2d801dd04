/** How many strings are remembered: those of some dozen objects. */
const LIMIT = 256;

/** Deeper than any object that makes sense. One that any JSON may be in, nested ten thousand times, must not end this. */
const DEEPEST = 64;

/**
 * Makes equal strings one. Whatever is parsed from JSON has its own copy of each: of ten thousand resources, each its
 * own of the same image and of the same messages.
 *
 * Only recent strings are remembered, so that names and UIDs don't pile up here. A string that many objects hold is
 * kept once in some dozens of them.
 */
export class StringInterner {
  #recent = new Map<string, string>();

  /** Has a value's strings, but those of its depths, be those that earlier values hold, in place: it must be plain data that nobody else holds. */
  in<T>(value: T): T {
    return this.#shared(value, 0) as T;
  }

  #shared(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#known(value);
    if (depth > DEEPEST) return value;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) value[index] = this.#shared(value[index], depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      const fields = value as Record<string, unknown>;
      for (const name of Object.keys(fields)) {
        const field = fields[name];
        if (typeof field === 'string' || typeof field === 'object') fields[name] = this.#shared(field, depth + 1);
      }
    }
    return value;
  }

  #known(text: string): string {
    const known = this.#recent.get(text);
    if (known !== undefined) return known;
    if (this.#recent.size === LIMIT) this.#recent = new Map();
    this.#recent.set(text, text);
    return text;
  }
}
