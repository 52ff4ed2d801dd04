import { isDeepStrictEqual } from 'node:util';
import { apiVersionOf } from '../../kube/index.ts';
import type { KubeClient, KubeObject, ListOptions, ResourceType } from '../../kube/index.ts';
import type { Listed } from '../api/index.ts';
import { pathsOf } from './slices.ts';

type ListClient = Pick<KubeClient, 'list'>;

/** The objects of a type, page by page; anyone who has enough stops. */
export async function* pagesOf(
  client: ListClient,
  type: ResourceType,
  query: Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector' | 'limit'>,
): AsyncGenerator<readonly KubeObject[], void, undefined> {
  let next: string | undefined;
  do {
    const page = await client.list(type, { ...query, ...(next !== undefined && { continue: next }) });
    yield page.items.map((item) => ({ ...item, apiVersion: apiVersionOf(type), kind: type.kind }));
    next = page.metadata.continue;
  } while (next !== undefined && next !== '');
}

/**
 * All objects of a type.
 *
 * @param namespace - undefined for all of them
 */
export async function listAll(
  client: ListClient,
  type: ResourceType,
  namespace: string | undefined,
  labelSelector?: string,
): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = [];
  const query = {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
  };
  for await (const page of pagesOf(client, type, query)) for (const object of page) objects.push(object);
  return objects;
}

interface Kept {
  readonly at: number;
  readonly listed: Promise<readonly Listed[]>;
}

/** Largest answer that a list is taken from, in bytes: some 3,000 objects of usual size with all that the server tells of them. */
const LARGEST_ANSWER_BYTES = 8 * 2 ** 20;
/** Largest part of it that is kept, in characters of JSON: what is asked of 1,000 policies takes a third of that. */
export const LARGEST_LIST = 2 ** 20;

/** How long a list answers all who ask for it, in milliseconds. */
const KEPT_MS = 15_000;
/** How long one that nobody asks for any more is kept. */
const FORGOTTEN_MS = 120_000;

/**
 * Lists that are read once for all resources of a namespace that ask for them at about the same time, and are one value
 * in memory for all of them, for as long as nothing in them changes: a thousand resources may ask for a thousand objects.
 */
export class SharedLists {
  readonly #client: ListClient;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(client: ListClient, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  /**
   * In the order of their names.
   *
   * @param paths - what is wanted of each object, as dotted paths
   * @throws ApiError, TransportError where it can't be listed
   */
  async get(type: ResourceType, namespace: string, paths: readonly string[]): Promise<readonly Listed[]> {
    const now = this.#now();
    for (const [key, { at }] of this.#kept) if (now >= at + FORGOTTEN_MS) this.#kept.delete(key);
    const key = JSON.stringify([apiVersionOf(type), type.plural, namespace, paths]);
    const known = this.#kept.get(key);
    if (known !== undefined && now < known.at + KEPT_MS) return known.listed;
    const kept = { at: now, listed: this.#list(type, namespace, paths, known) };
    this.#kept.set(key, kept);
    try {
      return await kept.listed;
    } catch (error) {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
      throw error;
    }
  }

  async #list(
    type: ResourceType,
    namespace: string,
    paths: readonly string[],
    known: Kept | undefined,
  ): Promise<readonly Listed[]> {
    const before = await known?.listed.catch(() => undefined);
    const { items } = await this.#client.list(type, { namespace, largestBytes: LARGEST_ANSWER_BYTES });
    const listed = items
      .map((object) => ({ name: object.metadata.name, slice: pathsOf(object, paths) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const size = JSON.stringify(listed).length;
    if (size > LARGEST_LIST) throw new Error(`the ${type.plural} take ${size} characters, more than ${LARGEST_LIST}`);
    return before !== undefined && isDeepStrictEqual(before, listed) ? before : listed;
  }
}
