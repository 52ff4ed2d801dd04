import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { identityOf, timestamp } from '../../../operator/engine/api/index.ts';
import type { Named } from '../../../operator/engine/api/index.ts';
import { ApiError } from '../../../operator/kube/index.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';
import { frozen } from './frozen.ts';
import { hasGeneration } from './generation.ts';
import { checkChange } from './immutable.ts';
import { applied, created, updated, type Body, type Writer } from './managers.ts';

/** What must hold of the live object, or the write has no effect. */
export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** A change of a live object, and what it asks of it. */
export interface Patch {
  readonly change: (live: KubeObject) => KubeObject;
  readonly if: Preconditions;
}

export interface ApplyRequest {
  readonly manager: string;
  readonly force: boolean;
  /** @default - the object without its status */
  readonly subresource?: string | undefined;
}

/**
 * As much of an API server as an operator notices: objects with versions, generations and owners of fields, server-side
 * apply, preconditions, finalizers, fields that can't be changed. What it does not do: defaults, admission, schemas of
 * built-in types.
 */
export class ApiServer {
  readonly #objects = new Map<string, KubeObject>();
  /** How often an object of each name was made: the same life gives the same UIDs. */
  readonly #made = new Map<string, number>();
  readonly #now: () => number;
  #version = 1_000;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** All objects, in the order in which they were made. */
  get objects(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  /** How often an object of a name was made. */
  timesMade(named: Named): number {
    return this.#made.get(identityOf(named)) ?? 0;
  }

  find(named: Named): KubeObject | undefined {
    return this.#objects.get(identityOf(named));
  }

  /** @throws ApiError where a precondition does not hold, another manager holds a field, or a field can't be changed */
  apply(body: Body, { manager, force, subresource }: ApplyRequest): KubeObject {
    const named = namedOf(body);
    const { uid, resourceVersion, ...metadata } = body.metadata as Body['metadata'] & Preconditions;
    const live = this.find(named);
    checkApply(live, { uid, resourceVersion });
    if (subresource !== undefined) return this.#status(named, live, body['status']);
    const result = applied(live, { ...body, metadata }, this.#writer(manager, 'Apply'), force);
    if ('conflicts' in result) throw conflict(`conflicts with ${result.conflicts.join(', ')}`);
    return live === undefined ? this.#add(named, result.object) : this.#change(live, result.object);
  }

  /** @throws ApiError 409 where there is one of the name */
  create(body: Body, manager: string): KubeObject {
    const named = namedOf(body);
    if (this.find(named) !== undefined) {
      throw new ApiError(409, { reason: 'AlreadyExists', message: `${named.kind} "${named.name}" already exists` });
    }
    return this.#add(named, created(body, this.#writer(manager, 'Update')));
  }

  /**
   * Replaces a live object by a changed one.
   *
   * @throws ApiError 422 where a field can't be changed
   */
  update(live: KubeObject, next: KubeObject, manager: string): KubeObject {
    return this.#change(live, updated(live, next, this.#writer(manager, 'Update')));
  }

  /**
   * Changes a live object by a patch.
   *
   * @throws ApiError 404 where there is none, 409 where a precondition does not hold, 422 where a field can't be changed
   */
  patch(named: Named, patch: Patch, manager: string): KubeObject {
    const live = this.find(named);
    if (live === undefined) throw notFound(named);
    checkPreconditions(live, patch.if);
    return this.update(live, patch.change(live), manager);
  }

  /**
   * Deletes an object: one that a finalizer holds stays, and is being deleted.
   *
   * @returns what is left of it
   * @throws ApiError 404 where there is none, 409 where a precondition does not hold
   */
  delete(named: Named, preconditions: Preconditions = {}): KubeObject | undefined {
    const live = this.find(named);
    if (live === undefined) throw notFound(named);
    checkPreconditions(live, preconditions);
    const { finalizers = [], deletionTimestamp, generation } = live.metadata;
    if (finalizers.length === 0) return this.#remove(live);
    if (deletionTimestamp !== undefined) return live;
    const counted = generation === undefined ? {} : { generation: generation + 1 };
    return this.#put({
      ...live,
      metadata: { ...live.metadata, ...counted, deletionTimestamp: timestamp(this.#now()) },
    });
  }

  #status(named: Named, live: KubeObject | undefined, status: unknown): KubeObject {
    if (live === undefined) throw notFound(named);
    return isDeepStrictEqual(live['status'], status) ? live : this.#put({ ...live, status });
  }

  #add(named: Named, body: Body): KubeObject {
    const identity = identityOf(named);
    const times = (this.#made.get(identity) ?? 0) + 1;
    this.#made.set(identity, times);
    const { status: _, ...rest } = body;
    const metadata = {
      ...body.metadata,
      uid: uidOf(`${identity}/${times}`),
      creationTimestamp: timestamp(this.#now()),
      ...(hasGeneration(body) && { generation: 1 }),
    };
    return this.#put({ ...rest, ...initialStatus(body), metadata } as unknown as KubeObject);
  }

  #change(live: KubeObject, body: Body): KubeObject {
    const { uid, creationTimestamp, deletionTimestamp, generation } = live.metadata;
    const kept = { uid, creationTimestamp, resourceVersion: live.metadata.resourceVersion };
    const deleted = deletionTimestamp === undefined ? {} : { deletionTimestamp };
    const next = { ...body, metadata: { ...body.metadata, ...kept, ...deleted } } as unknown as KubeObject;
    checkChange(live, next);
    const counted = generation === undefined ? {} : { generation: generation + (isSameSpec(live, next) ? 0 : 1) };
    const whole = { ...next, metadata: { ...next.metadata, ...counted } };
    if (isDeepStrictEqual(live, whole)) return live;
    const { finalizers = [] } = whole.metadata;
    return deletionTimestamp !== undefined && finalizers.length === 0 ? this.#remove(whole) : this.#put(whole);
  }

  #put(object: KubeObject): KubeObject {
    const resourceVersion = String((this.#version += 1));
    const metadata = { ...object.metadata, resourceVersion };
    // As it comes back from a server: without what is undefined, and no part of what was sent.
    const stored = frozen(JSON.parse(JSON.stringify({ ...object, metadata })) as KubeObject);
    this.#objects.set(identityOf(namedOf(stored)), stored);
    return stored;
  }

  #remove(object: KubeObject): KubeObject {
    this.#objects.delete(identityOf(namedOf(object)));
    return object;
  }

  #writer = (manager: string, operation: Writer['operation']): Writer => ({
    manager,
    operation,
    time: timestamp(this.#now()),
  });
}

function checkApply(live: KubeObject | undefined, { uid, resourceVersion }: Preconditions): void {
  if (live === undefined) {
    if (uid !== undefined) throw conflict('there is no object of this UID any more');
    return;
  }
  // As a server answers: an apply with another UID is an invalid change of it.
  if (uid !== undefined && uid !== live.metadata.uid) {
    throw new ApiError(422, {
      message: 'metadata.uid: field is immutable',
      details: { causes: [{ field: 'metadata.uid' }] },
    });
  }
  if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) {
    throw conflict('the object has been modified');
  }
}

function checkPreconditions({ metadata }: KubeObject, preconditions: Preconditions): void {
  const { uid = metadata.uid, resourceVersion = metadata.resourceVersion } = preconditions;
  const isSame = uid === metadata.uid && resourceVersion === metadata.resourceVersion;
  if (!isSame) throw conflict('the precondition does not hold: the object is another one, or has been modified');
}

/** What names an object. */
export const namedOf = ({ apiVersion, kind, metadata: { namespace = '', name } }: Body): Named => ({
  apiVersion,
  kind,
  namespace,
  name,
});

/** All but metadata and status counts as the spec. */
const isSameSpec = (one: KubeObject, other: KubeObject): boolean =>
  isDeepStrictEqual({ ...one, metadata: 0, status: 0 }, { ...other, metadata: 0, status: 0 });

const initialStatus = ({ kind, apiVersion, status }: Body): object => {
  if (status !== undefined) return { status };
  return apiVersion === 'v1' && kind === 'PersistentVolumeClaim' ? { status: { phase: 'Pending' } } : {};
};

/** A UUID that is always the same for the same object. */
function uidOf(text: string): string {
  const digits = hash('sha256', text, 'hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

const conflict = (message: string): ApiError => new ApiError(409, { reason: 'Conflict', message });

const notFound = ({ kind, name }: Named): ApiError =>
  new ApiError(404, { reason: 'NotFound', message: `${kind} "${name}" not found`, details: { kind, name } });
