import { isNotFound } from './errors.ts';
import { parseJson, writeJson } from './json.ts';
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  ListOptions,
  LogStreamOptions,
  ObjectBody,
  ObjectList,
  ObjectRef,
  PodLogOptions,
  Query,
  RawOptions,
  WriteOptions,
} from './options.ts';
import { type KubeClientOptions, Requester } from './requester.ts';
import { TYPES } from './resource-types.ts';
import type { Body } from './streamed-answer.ts';
import type { Attempt } from './transport.ts';
import { type KubeObject, pathOf, type ResourceType } from './types.ts';

/** Largest page of a list, in bytes: half of what V8 takes as one text. */
const LARGEST_LIST_BYTES = 2 ** 28;

/** The verbs of the Kubernetes API. */
export class KubeClient {
  readonly #requester: Requester;
  readonly #defaults: CallOptions;

  /** @param options - or the requester of another client, which `with` gives */
  constructor(options: KubeClientOptions | Requester, defaults: CallOptions = {}) {
    this.#requester = options instanceof Requester ? options : new Requester(options);
    this.#defaults = defaults;
  }

  /** The same connections, for calls that have these options where they have no others. */
  with(defaults: CallOptions): KubeClient {
    return new KubeClient(this.#requester, { ...this.#defaults, ...defaults });
  }

  /** @throws ApiError 404 where there is none of that name */
  async get(type: ResourceType, ref: ObjectRef, options: CallOptions = {}): Promise<KubeObject> {
    const path = pathOf(type, ref.namespace, ref.name);
    return (await this.raw('GET', path, { ...options, verb: 'get', resource: type.plural })) as KubeObject;
  }

  /** As `get`, but undefined where there is none of that name. */
  async find(type: ResourceType, ref: ObjectRef, options: CallOptions = {}): Promise<KubeObject | undefined> {
    return orUndefined(this.get(type, ref, options));
  }

  async list(type: ResourceType, options: ListOptions = {}): Promise<ObjectList> {
    const { namespace, labelSelector, fieldSelector, limit, continue: token, ...rest } = options;
    const { resourceVersion, resourceVersionMatch, ...call } = rest;
    const query = { labelSelector, fieldSelector, limit, continue: token, resourceVersion, resourceVersionMatch };
    return (await this.raw('GET', pathOf(type, namespace), {
      largestBytes: LARGEST_LIST_BYTES,
      ...call,
      query,
      verb: 'list',
      resource: type.plural,
    })) as ObjectList;
  }

  /** Not repeated after a lost answer, since the second of two would find the first. */
  async create(type: ResourceType, body: ObjectBody, options: WriteOptions = {}): Promise<KubeObject> {
    const { namespace } = body.metadata;
    const collection = namespace === undefined ? {} : { namespace };
    return this.#write('create', { method: 'POST' }, type, collection, body, options);
  }

  /** Writes the whole object; `metadata.resourceVersion` makes it fail with 409 where it has changed since. */
  async replace(type: ResourceType, body: ObjectBody, options: WriteOptions = {}): Promise<KubeObject> {
    return this.#write('replace', { method: 'PUT' }, type, body.metadata, body, options);
  }

  /**
   * Server-side apply: the fields of `body`, and no others, are the field manager's afterwards.
   *
   * @throws ApiError where the schema does not have one of them. To be told of keys that stand twice as well, the server
   *   would parse it a second time; JSON that was written from an object has none.
   */
  async apply(type: ResourceType, body: ObjectBody, options: ApplyOptions): Promise<KubeObject> {
    const { force, ...write } = options;
    const how = {
      method: 'PATCH',
      contentType: 'application/apply-patch+yaml',
      repeatable: true,
      query: { force, fieldValidation: 'Ignore' },
    } as const;
    return this.#write('apply', how, type, body.metadata, body, write);
  }

  /** A merge patch (RFC 7386), or with an array of operations a JSON patch (RFC 6902), which is not repeated. */
  async patch(
    type: ResourceType,
    ref: ObjectRef,
    body: object | readonly object[],
    options: WriteOptions = {},
  ): Promise<KubeObject> {
    const merge = !Array.isArray(body);
    const contentType = merge ? 'application/merge-patch+json' : 'application/json-patch+json';
    return this.#write('patch', { method: 'PATCH', contentType, repeatable: merge }, type, ref, body, options);
  }

  /**
   * Deletes an object.
   *
   * @returns the object where something holds it up (a finalizer, a pod's grace), undefined where it is gone
   * @throws ApiError 409 where it is not the object that `uid` and `resourceVersion` tell, 404 where it `mustExist` and
   *   does not
   */
  async delete(type: ResourceType, ref: ObjectRef, options: DeleteOptions = {}): Promise<KubeObject | undefined> {
    const { uid, resourceVersion, propagationPolicy, gracePeriodSeconds, mustExist = false, ...call } = options;
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy,
      gracePeriodSeconds,
      ...(uid === undefined && resourceVersion === undefined ? {} : { preconditions: { uid, resourceVersion } }),
    };
    // Without the UID a repetition could hit a namesake that was made in the meantime.
    const repeatable = uid !== undefined;
    const path = pathOf(type, ref.namespace, ref.name);
    const request = this.raw('DELETE', path, { ...call, body, repeatable, verb: 'delete', resource: type.plural });
    const answer = (await (mustExist ? request : orUndefined(request))) as KubeObject | undefined;
    return answer?.kind === 'Status' ? undefined : answer;
  }

  /**
   * Opens a watch. It ends when the server ends it, when the connection breaks, or with `signal`.
   *
   * @returns newline-delimited JSON; see frames.ts
   */
  async watch(type: ResourceType, namespace: string | undefined, query: Query, signal: AbortSignal): Promise<Body> {
    return this.#requester.stream({
      method: 'GET',
      path: pathOf(type, namespace) + queryString({ ...query, watch: true }),
      headers: {},
      verb: 'watch',
      resource: type.plural,
      repeatable: true,
      retry: false,
      signal,
    });
  }

  /**
   * The log of a container, as text.
   *
   * @throws AnswerTooLargeError where it is larger than `largestBytes`
   */
  async podLog(ref: ObjectRef, options: PodLogOptions = {}): Promise<string> {
    const { container, tailLines, previous, limitBytes, ...call } = options;
    const query = { container, tailLines, previous, limitBytes };
    return this.#text('GET', pathOf(TYPES.pod, ref.namespace, ref.name, 'log'), {
      ...call,
      query,
      verb: 'log',
      resource: 'pods/log',
    });
  }

  /**
   * Opens the log of a container. It ends with the log, with the container where it is followed, when the connection
   * breaks, or with `signal`.
   */
  async openLog(ref: ObjectRef, options: LogStreamOptions, signal: AbortSignal): Promise<Body> {
    return this.#requester.stream({
      method: 'GET',
      path: pathOf(TYPES.pod, ref.namespace, ref.name, 'log') + queryString({ ...options }),
      headers: {},
      verb: 'log',
      resource: 'pods/log',
      repeatable: true,
      signal,
    });
  }

  /** Any other request; the answer parsed. */
  async raw(method: Attempt['method'], path: string, options: RawOptions = {}): Promise<unknown> {
    return parseJson(await this.#text(method, path, options));
  }

  /** Breaks off all requests and watches. */
  async close(): Promise<void> {
    await this.#requester.close();
  }

  async #write(
    verb: string,
    how: Pick<RawOptions, 'contentType' | 'repeatable' | 'query'> & { readonly method: Attempt['method'] },
    type: ResourceType,
    ref: { readonly namespace?: string; readonly name?: string },
    body: unknown,
    options: WriteOptions,
  ): Promise<KubeObject> {
    const { fieldManager, subresource, dryRun, ...call } = options;
    return (await this.raw(how.method, pathOf(type, ref.namespace, ref.name, subresource), {
      ...call,
      ...how,
      body,
      query: { ...how.query, fieldManager, dryRun: dryRun === true ? 'All' : undefined },
      verb,
      resource: subresource === undefined ? type.plural : `${type.plural}/${subresource}`,
    })) as KubeObject;
  }

  async #text(method: Attempt['method'], path: string, options: RawOptions): Promise<string> {
    const { query = {}, body, contentType = 'application/json', ...call } = options;
    return this.#requester.text({
      verb: method.toLowerCase(),
      resource: '',
      repeatable: method === 'GET' || method === 'PUT',
      ...this.#defaults,
      ...call,
      method,
      path: path + queryString(query),
      headers: body === undefined ? {} : { 'content-type': contentType },
      ...(body === undefined ? {} : { body: writeJson(body) }),
    });
  }
}

function queryString(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== false) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
