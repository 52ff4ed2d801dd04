import type { KubeClient, ObjectList, ResourceType } from '../../operator/kube/index.ts';
import { type Denied, deniedIn } from './denied.ts';

/**
 * Reads on where the caller may not read something, and remembers what that was: the one way in which commands show a part.
 * What may not be listed is an empty list, and what may not be looked at is not there; so ask `mayList` before either is
 * told as a fact.
 */
export class AllowedReader implements Pick<KubeClient, 'list' | 'find'> {
  readonly #client: Pick<KubeClient, 'list' | 'find'>;
  readonly #denied = new Map<string, Denied>();

  constructor(client: Pick<KubeClient, 'list' | 'find'>) {
    this.#client = client;
  }

  /** What was refused, once each. */
  get denied(): readonly Denied[] {
    return [...this.#denied.values()];
  }

  /** Whether nothing has said so far that a type may not be listed. */
  mayList({ plural }: Pick<ResourceType, 'plural'>): boolean {
    return !this.denied.some(({ verb, resource }) => verb === 'list' && resource === plural);
  }

  /** Whether an error is a refusal; then it is remembered. */
  isDenied(error: unknown): boolean {
    const denied = deniedIn(error);
    if (denied === undefined) return false;
    const { verb, resource, namespace } = denied;
    this.#denied.set(JSON.stringify([verb, resource, namespace]), denied);
    return true;
  }

  readonly list: KubeClient['list'] = (type, options) => this.listAllowed(type, options);

  protected async listAllowed(...[type, options]: Parameters<KubeClient['list']>): Promise<ObjectList> {
    try {
      return await this.#client.list(type, options);
    } catch (error) {
      if (!this.isDenied(error)) throw error;
      return { metadata: {}, items: [] };
    }
  }

  readonly find: KubeClient['find'] = async (type, ref, options) => {
    try {
      return await this.#client.find(type, ref, options);
    } catch (error) {
      if (!this.isDenied(error)) throw error;
      return undefined;
    }
  };
}
