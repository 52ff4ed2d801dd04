import type { KubeClient, KubeObject, ResourceType } from '../../operator/kube/index.ts';
import type { Manifest } from '../../constructs/workload.ts';
import type { ServedType, ServedTypes } from './served-types.ts';

/** A kind: `Deployment`, `apps/v1/Deployment`, or its type. */
export type KindName = string | ResourceType;

/** Who applies, to the API server. */
const MANAGER = 'user';

/** The objects of one namespace, and those of the cluster, as a user reads and writes them: by their kinds and names. */
export class Objects {
  /** Of objects that name none. */
  readonly namespace: string;
  readonly client: KubeClient;
  readonly #types: ServedTypes;

  constructor(client: KubeClient, types: ServedTypes, namespace = 'default') {
    this.client = client;
    this.#types = types;
    this.namespace = namespace;
  }

  /** The same for another namespace. */
  in(namespace: string): Objects {
    return new Objects(this.client, this.#types, namespace);
  }

  /** Applies a manifest, as `kubectl apply --server-side --force-conflicts` does. */
  async apply(manifest: Manifest): Promise<KubeObject> {
    const type = await this.#types.of(manifest);
    const { namespace = this.namespace, ...metadata } = manifest.metadata;
    const body = { ...manifest, metadata: type.namespaced ? { ...metadata, namespace } : metadata };
    return this.client.apply(type, body, { fieldManager: MANAGER, force: true });
  }

  /** @returns undefined where there is none of that name */
  async find(kind: KindName, name: string): Promise<KubeObject | undefined> {
    const type = await this.type(kind);
    return this.client.find(type, this.#refOf(type, name));
  }

  async list(kind: KindName, options: { readonly labelSelector?: string } = {}): Promise<readonly KubeObject[]> {
    const type = await this.type(kind);
    const { items } = await this.client.list(type, {
      ...(type.namespaced && { namespace: this.namespace }),
      ...options,
    });
    return items;
  }

  /** A merge patch. */
  async patch(kind: KindName, name: string, body: object, options: PatchOptions = {}): Promise<KubeObject> {
    const type = await this.type(kind);
    return this.client.patch(type, this.#refOf(type, name), body, { fieldManager: MANAGER, ...options });
  }

  /** Deletes an object in the background. It is no error that there is none of that name. */
  async delete(kind: KindName, name: string): Promise<void> {
    const type = await this.type(kind);
    await this.client.delete(type, this.#refOf(type, name), { propagationPolicy: 'Background' });
  }

  /** The type of a kind, as the server serves it. */
  async type(kind: KindName): Promise<ServedType> {
    if (typeof kind === 'string') return this.#types.find(kind);
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    return this.#types.of({ apiVersion, kind: kind.kind });
  }

  #refOf({ namespaced }: ServedType, name: string) {
    return namespaced ? { namespace: this.namespace, name } : { name };
  }
}

export interface PatchOptions {
  /** `status`, `scale`. */
  readonly subresource?: string;
}
