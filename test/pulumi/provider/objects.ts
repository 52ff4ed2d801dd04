/** Objects of the API server, as a provider needs them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isReady } from '../../../operator/engine/ready.ts';
import type { KubeClient } from '../../../operator/kube/client.ts';
import type { KubeObject, ObjectBody, ResourceType } from '../../../operator/kube/index.ts';
import type { Properties } from './wire.ts';

/** Who writes: as the real provider, but for its suffix. */
const FIELD_MANAGER = 'pulumi-kubernetes';
/** Between two looks, in milliseconds. */
const PAUSE = 50;

/** A manifest whose place is known. */
export type Manifest = Properties & ObjectBody;

/** An object that was written, but is not ready in time. */
export class NotReadyError extends Error {
  readonly object: KubeObject;

  constructor(object: KubeObject, seconds: number) {
    super(`${object.kind} ${object.metadata.name} was not ready after ${seconds} s`);
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

  /** Resolves once the object is ready, with what it then is. */
  async ready(manifest: Manifest, seconds: number): Promise<KubeObject> {
    const deadline = performance.now() + seconds * 1000;
    for (;;) {
      const object = await this.find(manifest);
      if (object !== undefined && (await this.#isReady(object))) return object;
      if (object !== undefined && performance.now() > deadline) throw new NotReadyError(object, seconds);
      await sleep(PAUSE);
    }
  }

  /** Resolves once the object is gone, with all that it owns on its way. */
  async delete(manifest: Manifest, seconds: number): Promise<void> {
    const { type, ref } = await this.#place(manifest);
    const deadline = performance.now() + seconds * 1000;
    await this.#client.delete(type, ref, { propagationPolicy: 'Background' });
    while ((await this.#client.find(type, ref)) !== undefined) {
      if (performance.now() > deadline)
        throw new Error(`${manifest.kind} ${ref.name} was still there after ${seconds} s`);
      await sleep(PAUSE);
    }
  }

  /** A Service is ready once it leads somewhere; all else by the operator's own table. */
  async #isReady(object: KubeObject): Promise<boolean> {
    if (object.kind !== 'Service') return isReady(object);
    const { namespace = '', name } = object.metadata;
    const labelSelector = `kubernetes.io/service-name=${name}`;
    const { items } = await this.#client.list(ENDPOINT_SLICES, { namespace, labelSelector });
    return items.some(({ endpoints }) => Array.isArray(endpoints) && endpoints.length > 0);
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

const ENDPOINT_SLICES: ResourceType = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
};

const groupVersion = (apiVersion: string): Pick<ResourceType, 'group' | 'version'> => {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? { group: '', version: group } : { group, version };
};
