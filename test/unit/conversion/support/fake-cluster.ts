import { ApiError, type KubeClient, type KubeObject, type ResourceType } from '../../../../operator/kube/index.ts';

interface Ref {
  readonly namespace?: string;
  readonly name: string;
}

/** As much of an API server as the certificate and the CRDs need: versions of objects, and merge patches. */
export class FakeCluster {
  /** What was written, in order: `create secrets/acme-conversion`. */
  readonly writes: string[] = [];
  /** Called before each call, which it may fail. */
  before: (call: string) => void = () => {};
  readonly #objects = new Map<string, KubeObject>();
  #version = 0;

  with(): this {
    return this;
  }

  get client(): KubeClient {
    return this as unknown as KubeClient;
  }

  put({ plural }: ResourceType, object: object): void {
    const { metadata } = object as { metadata: Ref };
    this.#store(keyOf(plural, metadata), object);
  }

  get({ plural }: ResourceType, ref: Ref): KubeObject | undefined {
    return this.#objects.get(keyOf(plural, ref));
  }

  async find(type: ResourceType, { namespace, name }: Ref): Promise<KubeObject | undefined> {
    this.before(`get ${type.plural}/${name}`);
    return Promise.resolve(this.get(type, { ...(namespace !== undefined && { namespace }), name }));
  }

  async create({ plural }: ResourceType, body: { readonly metadata: Ref }): Promise<KubeObject> {
    const key = keyOf(plural, body.metadata);
    this.#write(`create ${plural}/${body.metadata.name}`);
    if (this.#objects.has(key)) throw new ApiError(409, { reason: 'AlreadyExists', message: 'already exists' });
    return Promise.resolve(this.#store(key, body));
  }

  async replace({ plural }: ResourceType, body: KubeObject): Promise<KubeObject> {
    const key = keyOf(plural, body.metadata);
    this.#write(`replace ${plural}/${body.metadata.name}`);
    this.#check(key, body.metadata.resourceVersion);
    return Promise.resolve(this.#store(key, body));
  }

  async patch({ plural }: ResourceType, ref: Ref, patch: object): Promise<KubeObject> {
    const key = keyOf(plural, ref);
    this.#write(`patch ${plural}/${ref.name}`);
    this.#check(key, (patch as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
    return Promise.resolve(this.#store(key, merged(this.#objects.get(key), patch) as object));
  }

  #write(call: string): void {
    this.before(call);
    this.writes.push(call);
  }

  #check(key: string, resourceVersion: string): void {
    if (this.#objects.get(key)?.metadata.resourceVersion === resourceVersion) return;
    throw new ApiError(409, { reason: 'Conflict', message: 'the object has been modified' });
  }

  #store(key: string, object: object): KubeObject {
    this.#version += 1;
    const { metadata } = object as KubeObject;
    const stored = { ...object, metadata: { ...metadata, resourceVersion: `${this.#version}` } } as KubeObject;
    this.#objects.set(key, stored);
    return stored;
  }
}

const keyOf = (plural: string, { namespace = '', name }: Ref): string => `${plural}/${namespace}/${name}`;

function merged(live: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null) return patch;
  const fields = Object.entries(patch).map(([name, value]) => [
    name,
    merged((live as Record<string, unknown>)?.[name], value),
  ]);
  return { ...(live as object), ...(Object.fromEntries(fields) as object) };
}
