import { isDeepStrictEqual } from 'node:util';
import { isObject, type PlainObject } from '../../../constructs/schema/json.ts';
import { ApiError } from '../../../operator/kube/client/errors.ts';
import type { ApplyOptions, DeleteOptions, ObjectBody, ObjectRef } from '../../../operator/kube/client/options.ts';
import type { KubeObject, ManagedFieldsEntry, ResourceType } from '../../../operator/kube/client/types.ts';

/** What happens to a call: it fails, without its effect or after it. */
export interface Fault {
  readonly error: unknown;
  readonly when: 'before its effect' | 'after its effect';
}

/**
 * As much of an API server as the engine's writes need: server-side apply with its preconditions and owners of fields
 * (lists count as one field), merge patches of metadata, deletes with preconditions.
 */
export class FakeApi {
  readonly objects = new Map<string, KubeObject>();
  /** All calls that change something, in order: `apply configmaps/w`. */
  readonly calls: string[] = [];
  /** What was made by apply, in order: `configmaps/w`. */
  readonly made: string[] = [];
  /** Decides on the fate of each call. */
  fault: (call: string) => Fault | undefined = () => undefined;
  /** Rewrites what is applied, as a mutating admission policy does. */
  admit: (object: KubeObject) => KubeObject = (object) => object;
  /** Told of each change, as a watch would be. */
  changed: (object: KubeObject, gone: boolean) => void = () => {};
  readonly #applied = new Map<string, Map<string, PlainObject>>();
  #version = 100;
  #made = 0;

  /** Puts an object there that somebody else has made. */
  put(type: ResourceType, object: Omit<ObjectBody, 'metadata'> & { readonly metadata: object }): KubeObject {
    const { metadata, ...rest } = object;
    const whole = { ...rest, metadata: { ...this.#newMetadata(), ...metadata } } as KubeObject;
    return this.#store(type, { ...whole, metadata: { ...whole.metadata, resourceVersion: this.#nextVersion() } });
  }

  /** Changes an object as somebody else does; undefined takes a field away. */
  edit(type: ResourceType, name: string, change: object): KubeObject {
    const live = this.object(type, name);
    if (live === undefined) throw new Error(`there is no ${type.plural}/${name}`);
    const edited = merge(live, change) as KubeObject;
    const { generation = 1 } = live.metadata;
    const next = isDeepStrictEqual(edited['spec'], live['spec']) ? generation : generation + 1;
    return this.#store(type, this.#bump({ ...edited, metadata: { ...edited.metadata, generation: next } }));
  }

  /** Removes an object as somebody else does. */
  drop(type: ResourceType, name: string): void {
    const live = this.object(type, name);
    if (live !== undefined) this.#remove(type, live);
  }

  object(type: ResourceType, name: string): KubeObject | undefined {
    return this.objects.get(keyOf(type, { namespace: 'ns', name }));
  }

  async find(type: ResourceType, ref: ObjectRef): Promise<KubeObject | undefined> {
    return Promise.resolve(this.objects.get(keyOf(type, ref)));
  }

  async apply(type: ResourceType, body: ObjectBody, options: ApplyOptions): Promise<KubeObject> {
    const { subresource, fieldManager } = options;
    const ref = { namespace: body.metadata.namespace ?? '', name: body.metadata.name ?? '' };
    return this.#do(`apply ${nameOf(type, ref)}${subresource === undefined ? '' : `/${subresource}`}`, () => {
      const live = this.objects.get(keyOf(type, ref));
      checkApply(body, live);
      if (subresource !== undefined && live !== undefined)
        return this.#store(type, this.#bump({ ...live, status: body['status'] }));
      return this.#merge(type, ref, body, live, fieldManager);
    });
  }

  /** Unlike an apply, it fails where there is one of that name. */
  async create(type: ResourceType, body: ObjectBody): Promise<KubeObject> {
    const metadata = { ...body.metadata, resourceVersion: '1' };
    return this.apply(type, { ...body, metadata }, { fieldManager: 'create' });
  }

  async patch(type: ResourceType, ref: ObjectRef, body: object): Promise<KubeObject> {
    return this.#do(`patch ${nameOf(type, ref)}`, () => {
      const live = this.objects.get(keyOf(type, ref));
      const { metadata = {} } = body as { readonly metadata?: { readonly resourceVersion?: string } };
      if (live === undefined) throw new ApiError(404, { message: 'not found' });
      if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== live.metadata.resourceVersion) {
        throw new ApiError(409, { message: 'the object has been modified' });
      }
      const patched = this.#bump({ ...live, metadata: { ...live.metadata, ...metadata } });
      const isGone =
        patched.metadata.deletionTimestamp !== undefined && (patched.metadata.finalizers ?? []).length === 0;
      return isGone ? this.#remove(type, patched) : this.#store(type, patched);
    });
  }

  async delete(type: ResourceType, ref: ObjectRef, options: DeleteOptions = {}): Promise<KubeObject | undefined> {
    return this.#do(`delete ${nameOf(type, ref)}`, () => {
      const live = this.objects.get(keyOf(type, ref));
      if (live === undefined) {
        if (options.mustExist === true) throw new ApiError(404, { message: 'not found' });
        return undefined;
      }
      const { uid = live.metadata.uid, resourceVersion = live.metadata.resourceVersion } = options;
      if (uid !== live.metadata.uid || resourceVersion !== live.metadata.resourceVersion) {
        throw new ApiError(409, { message: 'the precondition does not hold' });
      }
      if ((live.metadata.finalizers ?? []).length === 0) return void this.#remove(type, live);
      return this.#store(type, this.#bump({ ...live, metadata: { ...live.metadata, deletionTimestamp: 'now' } }));
    });
  }

  async #do<T>(call: string, effect: () => T): Promise<T> {
    const fault = this.fault(call);
    if (fault?.when === 'before its effect') throw fault.error;
    this.calls.push(call);
    const answer = effect();
    if (fault !== undefined) throw fault.error;
    return Promise.resolve(answer);
  }

  #merge(
    type: ResourceType,
    ref: ObjectRef,
    body: ObjectBody,
    live: KubeObject | undefined,
    manager: string,
  ): KubeObject {
    const { metadata, ...rest } = body;
    const { name: _, namespace: __, uid: ___, resourceVersion: ____, ...meta } = metadata;
    const fields: PlainObject = { ...rest, metadata: meta };
    if (live === undefined) this.made.push(nameOf(type, ref));
    const before = this.#applied.get(keyOf(type, ref)) ?? new Map<string, PlainObject>();
    const base =
      live === undefined ? { metadata: { ...this.#newMetadata(), ...ref } } : without(live, before.get(manager) ?? {});
    const applied = new Map(live === undefined ? [] : before).set(manager, fields);
    this.#applied.set(keyOf(type, ref), applied);
    const merged = this.#bump(merge(base, fields) as KubeObject);
    const managedFields = [...applied].map(([owner, owned]): ManagedFieldsEntry => ({
      manager: owner,
      operation: 'Apply',
      fieldsV1: fieldsOf(owned),
    }));
    return this.#store(type, this.admit({ ...merged, metadata: { ...merged.metadata, managedFields } }));
  }

  #store(type: ResourceType, object: KubeObject): KubeObject {
    this.objects.set(keyOf(type, object.metadata), object);
    this.changed(object, false);
    return object;
  }

  #remove(type: ResourceType, object: KubeObject): KubeObject {
    this.objects.delete(keyOf(type, object.metadata));
    this.#applied.delete(keyOf(type, object.metadata));
    this.changed(object, true);
    return object;
  }

  #bump(object: KubeObject): KubeObject {
    return { ...object, metadata: { ...object.metadata, resourceVersion: this.#nextVersion() } };
  }

  #nextVersion(): string {
    return String((this.#version += 1));
  }

  #newMetadata(): object {
    return { uid: `uid-${(this.#made += 1)}`, creationTimestamp: '2026-01-01T00:00:00Z', generation: 1 };
  }
}

/** As a real server answers: see the preconditions of server-side apply. */
function checkApply({ metadata }: ObjectBody, live: KubeObject | undefined): void {
  const { uid, resourceVersion } = metadata;
  if (live === undefined && uid !== undefined) throw new ApiError(409, { message: 'uid mismatch' });
  if (live === undefined) return;
  if (uid !== undefined && uid !== live.metadata.uid) {
    throw new ApiError(422, { message: 'field is immutable', details: { causes: [{ field: 'metadata.uid' }] } });
  }
  if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) {
    throw new ApiError(409, { message: 'the object has been modified' });
  }
}

const nameOf = (type: ResourceType, { name }: ObjectRef): string => `${type.plural}/${name}`;
const keyOf = (type: ResourceType, { namespace = '', name }: ObjectRef): string =>
  `${type.plural}/${namespace}/${name}`;

function merge(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) merged[name] = merge(base[name], value);
  return merged;
}

/** `object` without the leaves of `owned`. */
function without(object: unknown, owned: PlainObject): PlainObject {
  if (!isObject(object)) return {};
  const rest: Record<string, unknown> = { ...object };
  for (const [name, value] of Object.entries(owned)) {
    if (isObject(value) && isObject(rest[name])) rest[name] = without(rest[name], value);
    else if (name !== 'apiVersion' && name !== 'kind') delete rest[name];
  }
  return rest;
}

function fieldsOf(owned: PlainObject): PlainObject {
  const { apiVersion: _, kind: __, ...fields } = owned;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`f:${name}`, isObject(value) ? fieldsOf(value) : {}]),
  );
}
