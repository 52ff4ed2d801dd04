import type { KubeClient } from './client.ts';
import { isNotFound } from './errors.ts';
import { apiVersionOf, type ResourceType } from './types.ts';

/** How long an answer is believed. */
const MAX_AGE_MS = 60_000;

interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string }[];
}

/** Tells which types the API server serves: those of a CRD come and go. */
export class Discovery {
  readonly #client: Pick<KubeClient, 'raw'>;
  readonly #maxAgeMs: number;
  readonly #versions = new Map<string, { readonly at: number; readonly plurals: Promise<ReadonlySet<string>> }>();

  /** @param maxAgeMs - how long an answer is believed, in milliseconds */
  constructor(client: Pick<KubeClient, 'raw'>, maxAgeMs: number = MAX_AGE_MS) {
    this.#client = client;
    this.#maxAgeMs = maxAgeMs;
  }

  /** @throws ApiError, TransportError where it can't be found out; the next call asks again */
  async isServed(type: ResourceType): Promise<boolean> {
    return (await this.#plurals(apiVersionOf(type))).has(type.plural);
  }

  /** Forgets all answers: a CRD has come or gone. */
  forget(): void {
    this.#versions.clear();
  }

  #plurals(apiVersion: string): Promise<ReadonlySet<string>> {
    const known = this.#versions.get(apiVersion);
    const now = performance.now();
    if (known !== undefined && now - known.at < this.#maxAgeMs) return known.plurals;
    const plurals = this.#fetch(apiVersion);
    this.#versions.set(apiVersion, { at: now, plurals });
    plurals.catch(() => this.#versions.delete(apiVersion));
    return plurals;
  }

  async #fetch(apiVersion: string): Promise<ReadonlySet<string>> {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    try {
      const list = (await this.#client.raw('GET', path, { verb: 'discover' })) as ResourceList;
      return new Set((list.resources ?? []).map(({ name }) => name));
    } catch (error) {
      if (isNotFound(error)) return new Set();
      throw error;
    }
  }
}
