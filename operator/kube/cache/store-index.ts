/**
 * The keys that are found under a name. Most names have one key, and a Set for each of ten thousand would take more
 * memory than the key: only names with several have a Set.
 */
export class StoreIndex {
  readonly #keys = new Map<string, string | Set<string>>();

  get(name: string): readonly string[] {
    const keys = this.#keys.get(name);
    if (keys === undefined) return [];
    return typeof keys === 'string' ? [keys] : [...keys];
  }

  add(name: string, key: string): void {
    const keys = this.#keys.get(name);
    if (keys === undefined) this.#keys.set(name, key);
    else if (typeof keys !== 'string') keys.add(key);
    else if (keys !== key) this.#keys.set(name, new Set([keys, key]));
  }

  delete(name: string, key: string): void {
    const keys = this.#keys.get(name);
    if (keys === key) this.#keys.delete(name);
    if (typeof keys !== 'object') return;
    keys.delete(key);
    if (keys.size > 1) return;
    for (const last of keys) this.#keys.set(name, last);
  }
}
