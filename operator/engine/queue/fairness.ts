import { partsOf } from '../../kube/index.ts';

/**
 * Keys that take turns by namespace: one of each, in order of arrival. So a tenant with a thousand resources is served
 * after one of another tenant's, not before.
 */
export class FairQueue {
  /** The namespace whose turn it is comes first. */
  readonly #byNamespace = new Map<string, Set<string>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(key: string): void {
    const keys = this.#byNamespace.get(namespaceOf(key)) ?? new Set();
    if (!keys.has(key)) this.#size += 1;
    this.#byNamespace.set(namespaceOf(key), keys.add(key));
  }

  delete(key: string): void {
    const keys = this.#byNamespace.get(namespaceOf(key));
    if (keys?.delete(key) !== true) return;
    this.#size -= 1;
    if (keys.size === 0) this.#byNamespace.delete(namespaceOf(key));
  }

  /** The key whose turn it is among those that may go now; the next turn is another namespace's. */
  next(mayGo: (key: string) => boolean): string | undefined {
    for (const [namespace, keys] of this.#byNamespace) {
      for (const key of keys) {
        if (!mayGo(key)) continue;
        this.#byNamespace.delete(namespace);
        this.#byNamespace.set(namespace, keys);
        return key;
      }
    }
    return undefined;
  }
}

const namespaceOf = (key: string): string => partsOf(key).namespace;
