import { ApiError } from '../../kube/index.ts';
import type { KubeClient, Discovery, ResourceType } from '../../kube/index.ts';
import type { Identity } from '../api/index.ts';
import { typeName } from './cache-stores.ts';

export interface KindGateOptions {
  readonly client: Pick<KubeClient, 'list'>;
  readonly discovery: Pick<Discovery, 'isServed'>;
  readonly identity: Pick<Identity, 'commands'>;
  /** @default - all namespaces */
  readonly namespace?: string;
  /** Told once why a kind is left to others, though it is served. */
  readonly log: (type: ResourceType, why: string) => void;
}

/**
 * Tells which of the kinds that a cluster may have are to be run. One that is served may be that of another operator, as
 * the users of that have it still: without the status that ours has, or without leave to read it.
 */
export class KindGate {
  readonly #options: KindGateOptions;
  /** Of the types that are served, why each is left to others; undefined where it is taken. */
  readonly #known = new Map<string, string | undefined>();

  constructor(options: KindGateOptions) {
    this.#options = options;
  }

  /** @throws ApiError, TransportError where it can't be found out */
  async isEnabled(type: ResourceType): Promise<boolean> {
    const name = typeName(type);
    if (!(await this.#options.discovery.isServed(type))) {
      this.#known.delete(name);
      return false;
    }
    const why = await this.#hindrance(type, name);
    if (why !== undefined && why !== this.#known.get(name)) this.#options.log(type, why);
    this.#known.set(name, why);
    return why === undefined;
  }

  #advice(otherwise: string): string {
    const { commands } = this.#options.identity;
    return commands === undefined ? '' : `; run ${commands.install} --compat${otherwise}`;
  }

  async #hindrance(type: ResourceType, name: string): Promise<string | undefined> {
    const { client, discovery, namespace } = this.#options;
    const crd = `${type.plural}.${type.group}`;
    if (!(await discovery.isServed({ ...type, plural: `${type.plural}/status` }))) {
      return `the CRD ${crd} is another operator's, or older than this one: it has no status subresource${this.#advice('')}`;
    }
    // Once it is watched, the watch tells.
    if (this.#known.has(name) && this.#known.get(name) === undefined) return undefined;
    try {
      await client.list(type, { limit: 1, ...(namespace !== undefined && { namespace }) });
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403)) throw error;
      return `${crd} is served, and this operator has no right to it${this.#advice(', or leave it to another operator')}`;
    }
  }
}
