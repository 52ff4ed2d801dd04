import { isNotFound, apiVersionOf } from './client/index.ts';
import type { KubeClient, ResourceType } from './client/index.ts';

/** How long an answer is believed. */
const MAX_AGE_MS = 60_000;

/** What a version serves, and with what verbs. */
type Served = ReadonlyMap<string, readonly string[] | undefined>;

interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly verbs?: readonly string[] }[];
}

/** Tells which types the API server serves: those of a CRD come and go. */
export class Discovery {
  readonly #client: Pick<KubeClient, 'raw'>;
  readonly #maxAgeMs: number;
  readonly #versions = new Map<string, { readonly at: number; readonly served: Promise<Served> }>();

  /** @param maxAgeMs - how long an answer is believed, in milliseconds */
  constructor(client: Pick<KubeClient, 'raw'>, maxAgeMs: number = MAX_AGE_MS) {
    this.#client = client;
    this.#maxAgeMs = maxAgeMs;
  }

  /** @throws ApiError, TransportError where it can't be found out; the next call asks again */
  async isServed(type: ResourceType): Promise<boolean> {
    return (await this.#served(apiVersionOf(type))).has(type.plural);
  }

  /**
   * Whether the CRD of a type is being deleted: its objects are there as long as a finalizer holds them, and no more can be
   * made. Such a type is listed without the verb `create`.
   *
   * @throws ApiError, TransportError where it can't be found out; the next call asks again
   */
  async isLeaving(type: ResourceType): Promise<boolean> {
    return (await this.#served(apiVersionOf(type))).get(type.plural)?.includes('create') === false;
  }

  /** Forgets all answers: a CRD has come or gone. */
  forget(): void {
    this.#versions.clear();
  }

  #served(apiVersion: string): Promise<Served> {
    const known = this.#versions.get(apiVersion);
    const now = performance.now();
    if (known !== undefined && now - known.at < this.#maxAgeMs) return known.served;
    const served = this.#fetch(apiVersion);
    this.#versions.set(apiVersion, { at: now, served });
    served.catch(() => this.#versions.delete(apiVersion));
    return served;
  }

  async #fetch(apiVersion: string): Promise<Served> {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    try {
      const list = (await this.#client.raw('GET', path, { verb: 'discover' })) as ResourceList;
      return new Map((list.resources ?? []).map(({ name, verbs }) => [name, verbs]));
    } catch (error) {
      if (isNotFound(error)) return new Map();
      throw error;
    }
  }
}
