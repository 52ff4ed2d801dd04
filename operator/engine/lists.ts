import type { KubeClient } from '../kube/client.ts';
import { apiVersionOf } from '../kube/types.ts';
import type { KubeObject, ResourceType } from '../kube/types.ts';

/** All objects of a type in a namespace, page by page. */
export async function listAll(
  client: Pick<KubeClient, 'list'>,
  type: ResourceType,
  namespace: string,
  labelSelector?: string,
): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = [];
  let next: string | undefined;
  do {
    const page = await client.list(type, {
      namespace,
      ...(labelSelector !== undefined && { labelSelector }),
      ...(next !== undefined && { continue: next }),
    });
    objects.push(...page.items.map((item) => ({ ...item, apiVersion: apiVersionOf(type), kind: type.kind })));
    next = page.metadata.continue;
  } while (next !== undefined && next !== '');
  return objects;
}

interface Kept {
  readonly at: number;
  readonly objects: Promise<readonly KubeObject[]>;
}

/** How long a list answers all who ask for it, in milliseconds. */
const KEPT_MS = 15_000;

/** Lists that are read once for all resources of a namespace that ask for them at about the same time. */
export class SharedLists {
  readonly #client: Pick<KubeClient, 'list'>;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(client: Pick<KubeClient, 'list'>, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  /** @throws ApiError, TransportError where it can't be listed */
  async get(type: ResourceType, namespace: string): Promise<readonly KubeObject[]> {
    for (const [key, { at }] of this.#kept) if (this.#now() >= at + KEPT_MS) this.#kept.delete(key);
    const key = `${apiVersionOf(type)}/${type.plural}/${namespace}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known.objects;
    const kept = { at: this.#now(), objects: listAll(this.#client, type, namespace) };
    this.#kept.set(key, kept);
    try {
      return await kept.objects;
    } catch (error) {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
      throw error;
    }
  }
}
