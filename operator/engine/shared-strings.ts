/** How many strings are remembered: those of some dozen objects. */
const LIMIT = 256;

/**
 * Makes equal strings one. Whatever is parsed from JSON has its own copy of each: of ten thousand resources, each its
 * own of the same image and of the same messages.
 *
 * Only recent strings are remembered, so that names and UIDs don't pile up here. A string that many objects hold is
 * kept once in some dozens of them.
 */
export class SharedStrings {
  #recent = new Map<string, string>();

  /** Has a value's strings be those that earlier values hold, in place: it must be plain data that nobody else holds. */
  in<T>(value: T): T {
    return this.#shared(value) as T;
  }

  #shared(value: unknown): unknown {
    if (typeof value === 'string') return this.#known(value);
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) value[index] = this.#shared(value[index]);
    } else if (typeof value === 'object' && value !== null) {
      const fields = value as Record<string, unknown>;
      for (const name of Object.keys(fields)) {
        const field = fields[name];
        if (typeof field === 'string' || typeof field === 'object') fields[name] = this.#shared(field);
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
