/** Objects of the API server, as a provider needs them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import type { KubeObject, ObjectBody, ResourceType } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { at, complaintOf, propagationOf, healthOf, type Surroundings } from './await.ts';
import { isObject, type Properties } from './wire.ts';

/** Who writes: as the real provider, but for its suffix. */
const FIELD_MANAGER = 'pulumi-kubernetes';
/** Between two looks, in milliseconds. */
const PAUSE = 50;

/** A manifest whose place is known. */
export type Manifest = Properties & ObjectBody;

/** An object that was written, but is not ready in time, or never will be. */
export class NotReadyError extends Error {
  readonly object: KubeObject;

  constructor(object: KubeObject, why: string) {
    super(`'${object.metadata.name}': ${why}`);
    this.object = object;
  }
}

/** The objects of one cluster. */
export class Objects {
  readonly #client: KubeClient;
  readonly #types = new Map<string, Promise<readonly ServedType[]>>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async find(manifest: Manifest): Promise<KubeObject | undefined> {
    const { type, ref } = await this.#place(manifest);
    return this.#client.find(type, ref);
  }

  /** @throws ApiError 409 where another manager has set a field otherwise, unless `force` is given */
  async apply(manifest: Manifest, { force = false, dryRun = false } = {}): Promise<KubeObject> {
    const { type, ref } = await this.#place(manifest);
    const body = { ...manifest, metadata: { ...manifest.metadata, ...ref } };
    return this.#client.apply(type, body, { fieldManager: FIELD_MANAGER, force, dryRun });
  }

  /**
   * Makes an object. As the real provider does (await/await.go, Creation) it posts, so what exists is not made again;
   * only what patches takes over what is there.
   */
  async create(
    manifest: Manifest,
    options: { readonly adopts: boolean; readonly force: boolean },
  ): Promise<KubeObject> {
    if (!options.adopts && (await this.find(manifest)) !== undefined) {
      const name = manifest.metadata.name ?? '';
      throw new Error(`${manifest.kind} "${name}" already exists. The resource already exists in the cluster.`);
    }
    return this.apply(manifest, options);
  }

  /** Resolves once the object is ready, with what it then is. */
  async ready(manifest: Manifest, seconds: number, updated: boolean): Promise<KubeObject> {
    const deadline = performance.now() + seconds * 1000;
    for (;;) {
      const object = await this.find(manifest);
      if (object !== undefined) {
        const health = healthOf(object, await this.#around(object, updated));
        if (health === 'ready') return object;
        if (health !== 'waits') throw new NotReadyError(object, health.failure);
        if (performance.now() > deadline) throw new NotReadyError(object, complaintOf(object));
      }
      await sleep(PAUSE);
    }
  }

  /** Resolves once the object is gone (await/await.go, Deletion). */
  async delete(manifest: Manifest, seconds: number): Promise<void> {
    const { type, ref } = await this.#place(manifest);
    const deadline = performance.now() + seconds * 1000;
    await this.#client.delete(type, ref, { propagationPolicy: propagationOf(manifest) });
    while ((await this.#client.find(type, ref)) !== undefined) {
      if (performance.now() > deadline)
        throw new Error(`${manifest.kind} ${ref.name} was still there after ${seconds} s`);
      await sleep(PAUSE);
    }
  }

  async #around(object: KubeObject, updated: boolean): Promise<Surroundings> {
    const claims = object.kind === 'Deployment' ? await this.#claimsOf(object) : {};
    const endpoints = object.kind === 'Service' ? await this.#endpointsOf(object) : undefined;
    const bindingMode = object.kind === 'PersistentVolumeClaim' ? await this.#bindingModeOf(object) : undefined;
    return { updated, claims, ...(endpoints && { endpoints }), ...(bindingMode !== undefined && { bindingMode }) };
  }

  async #claimsOf({ metadata: { namespace = '' }, ...object }: KubeObject): Promise<Readonly<Record<string, string>>> {
    const volumes = at(object, 'spec', 'template', 'spec', 'volumes');
    const names = (Array.isArray(volumes) ? volumes : []).flatMap((volume: unknown) => {
      const name = at(volume, 'persistentVolumeClaim', 'claimName');
      return typeof name === 'string' ? [name] : [];
    });
    const phases = names.map(async (name) => {
      const claim = await this.#client.find(TYPES.persistentVolumeClaim, { namespace, name });
      // await/deployment.go knows only claims that it has seen.
      return [name, claim === undefined || at(claim, 'status', 'phase') === 'Bound' ? 'Bound' : 'Pending'] as const;
    });
    return Object.fromEntries(await Promise.all(phases));
  }

  async #endpointsOf({ metadata: { namespace = '', name } }: KubeObject): Promise<readonly boolean[] | undefined> {
    const labelSelector = `kubernetes.io/service-name=${name}`;
    const { items } = await this.#client.list(TYPES.endpointSlice, { namespace, labelSelector });
    if (items.length === 0) return undefined;
    return items
      .flatMap(({ endpoints }) => (Array.isArray(endpoints) ? (endpoints as readonly unknown[]) : []))
      .map((endpoint) => at(endpoint, 'conditions', 'ready') !== false);
  }

  async #bindingModeOf(claim: KubeObject): Promise<string | undefined> {
    const name = at(claim, 'spec', 'storageClassName');
    if (typeof name !== 'string' || name === '') return undefined;
    const found = await this.#client.find(TYPES.storageClass, { name });
    const mode = isObject(found) ? found['volumeBindingMode'] : undefined;
    return typeof mode === 'string' ? mode : undefined;
  }

  async #place(manifest: Manifest) {
    const { plural, namespaced } = await this.#type(manifest);
    const { name = '', namespace = 'default' } = manifest.metadata;
    const type = { ...groupVersion(manifest.apiVersion), kind: manifest.kind, plural };
    return { type, ref: namespaced ? { name, namespace } : { name } };
  }

  async #type({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): Promise<ServedType> {
    const served = this.#types.get(apiVersion) ?? this.#served(apiVersion);
    this.#types.set(apiVersion, served);
    const found = (await served).find((type) => type.kind === kind);
    if (found === undefined) throw new Error(`no matches for kind "${kind}" in version "${apiVersion}"`);
    return found;
  }

  async #served(apiVersion: string): Promise<readonly ServedType[]> {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources } = (await this.#client.raw('GET', path)) as { readonly resources: readonly Served[] };
    return resources
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, kind, namespaced }) => ({ plural: name, kind, namespaced }));
  }
}

interface Served {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

interface ServedType {
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const groupVersion = (apiVersion: string): Pick<ResourceType, 'group' | 'version'> => {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? { group: '', version: group } : { group, version };
};
