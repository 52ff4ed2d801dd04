import { createHmac } from 'node:crypto';
import { Agent } from 'undici';
import { TYPES } from '../../kube/index.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/index.ts';
import type { Query, Answer, Lookup, Resource, ObservedPod } from '../api/index.ts';
import { controllerOf, SharedLists } from '../observe/index.ts';
import type { Count } from './lookups/limits.ts';
import { type LogReading, reportInLog, tailOfLog } from './pod-log.ts';
import { eventsOf } from './object-events.ts';
import { metricsFrom, POD_TIMEOUT_MS } from './pod-metrics.ts';

export interface QuerySources {
  readonly client: Pick<KubeClient, 'find' | 'list' | 'openLog'>;
  readonly isServed: (type: ResourceType) => Promise<boolean>;
  /** A pod of the cache. */
  readonly pod: (namespace: string, name: string) => ObservedPod | undefined;
  /**
   * Where a pod's address is reached from here.
   *
   * @default - at the address itself
   */
  readonly podAddress?: (ip: string) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface QueryOptions {
  /**
   * Ends it: nobody wants to know any more.
   *
   * @default - somebody wants to, however long it takes
   */
  readonly signal?: AbortSignal;
  /**
   * Is told how many bytes are read.
   *
   * @default - nobody counts
   */
  readonly count?: Count;
}

type Data = Readonly<Record<string, string>>;

interface WithContent extends KubeObject {
  readonly data?: Data;
  /** Of a ConfigMap: what is not text. */
  readonly binaryData?: Data;
}

/** Hexadecimal digits of a hash: enough to tell change. Anyone who guesses a short content can test it by them. */
const HASH_LENGTH = 16;

/** Finds answers out: from the API server, and from the metrics ports of pods. */
export class QueryRunner {
  readonly #sources: QuerySources;
  readonly #lists: SharedLists;
  readonly #pods = new Agent({ connect: { timeout: POD_TIMEOUT_MS }, keepAliveTimeout: 1 });

  constructor(sources: QuerySources) {
    this.#sources = sources;
    this.#lists = new SharedLists(sources.client, sources.now);
  }

  /** @throws where it can't be found out */
  async answer(query: Lookup, about: Resource, options: QueryOptions = {}): Promise<Answer> {
    const { signal = NEVER, count = () => undefined } = options;
    const { now } = this.#sources;
    if (query.type === 'secret' || query.type === 'configMap') {
      return { at: now(), type: query.type, ...(await this.#content(query, about, count)) };
    }
    if (query.type === 'podLog') {
      const text = await tailOfLog(this.#logOf(query, about, { signal, count }), query.tailLines, query.previous);
      return { at: now(), type: 'podLog', text };
    }
    if (query.type === 'events') {
      return {
        at: now(),
        type: 'events',
        events: await eventsOf(query, about, { ...this.#sources, signal, count }),
      };
    }
    if (query.type === 'reported') {
      return {
        at: now(),
        type: 'reported',
        ...(await reportInLog(this.#logOf(query, about, { signal, count }), query.metric)),
      };
    }
    if (query.type === 'podMetrics') {
      return { at: now(), type: 'podMetrics', ...(await this.#metrics(query, about, { signal, count })) };
    }
    if (query.type === 'object') return { at: now(), type: 'object', ...(await this.#uid(query, about)) };
    if (query.type === 'objects') {
      const objects = await this.#lists.get(query.resource, about.metadata.namespace ?? '', query.paths);
      return { at: now(), type: 'objects', objects };
    }
    return { at: now(), type: 'served', served: await this.#sources.isServed(query.resource) };
  }

  async close(): Promise<void> {
    await this.#pods.destroy();
  }

  async #uid({ resource, name }: Query & { type: 'object' }, { metadata }: Resource) {
    const found = await this.#sources.client.find(resource, { namespace: metadata.namespace ?? '', name });
    if (found === undefined) return {};
    if (found.metadata.deletionTimestamp !== undefined) return { leaving: true } as const;
    const owner = controllerOf(found);
    return { uid: found.metadata.uid, ...(owner !== undefined && { ownerUid: owner.uid }) };
  }

  async #content({ type, name, keys }: Query & { type: 'secret' | 'configMap' }, { metadata }: Resource, count: Count) {
    const ref = { namespace: metadata.namespace ?? '', name };
    const found: WithContent | undefined = await this.#sources.client.find(TYPES[type], ref);
    const data = { ...found?.data, ...found?.binaryData };
    count(Object.values(data).reduce((bytes, { length }) => bytes + length, 0));
    const read = keys ?? Object.keys(data);
    return {
      exists: found !== undefined,
      hash: found === undefined ? '' : hashOf(metadata.uid, data, read),
      missingKeys: read.filter((key) => !Object.hasOwn(data, key)),
    };
  }

  #logOf(
    { pod, container }: Query & { type: 'podLog' | 'reported' },
    { metadata }: Resource,
    reading: Required<QueryOptions>,
  ): LogReading {
    const { client } = this.#sources;
    return { client, pod: { namespace: metadata.namespace ?? '', name: pod }, container, ...reading };
  }

  async #metrics(
    { pod, port, path, metrics }: Query & { type: 'podMetrics' },
    { metadata }: Resource,
    reading: Required<QueryOptions>,
  ) {
    const found = this.#sources.pod(metadata.namespace ?? '', pod);
    if (found === undefined) return CLOSED;
    if (found.ip === undefined) throw new Error(`pod ${pod} has no address yet`);
    const address = (this.#sources.podAddress ?? ((ip) => ip))(found.ip);
    const host = address.includes(':') ? `[${address}]` : address;
    try {
      const url = `http://${host}:${port}${path}`;
      return { values: await metricsFrom(this.#pods, url, metrics, reading), closed: false };
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') return CLOSED;
      throw error;
    }
  }
}

/** Of who waits for the answer, however long it takes. */
const NEVER = new AbortController().signal;

/** Nothing listens any more. */
const CLOSED = { values: {}, closed: true } as const;

/** Salted, so that equal secrets of two resources can't be told to be equal from their statuses. */
function hashOf(salt: string, data: Data, keys: readonly string[]): string {
  const content = keys.toSorted().map((key) => [key, data[key] ?? null]);
  return createHmac('sha256', salt).update(JSON.stringify(content)).digest('hex').slice(0, HASH_LENGTH);
}
