import { isNotFound } from '../../kube/index.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/index.ts';
import { WorkQueue } from '../queue/index.ts';
import type { BackoffOptions, Clock, Outcome } from '../queue/index.ts';
import type { Made, StayingCaches } from '../cache/index.ts';
import { groupKind, isHostPolicy, rejectionOf, typeAmong } from '../api/index.ts';
import type { Identity, ObservedChild } from '../api/index.ts';
import { canAnyRun, letGoOf, staysFor } from '../observe/index.ts';
import type { ResourceRef } from '../observe/index.ts';
import type { Logger } from '../telemetry/index.ts';

export interface PodProtectionOptions {
  readonly client: Pick<KubeClient, 'list' | 'find' | 'patch'>;
  readonly identity: Identity;
  readonly caches: StayingCaches;
  /** Types of children, by which a policy is written. */
  readonly types: readonly ResourceType[];
  /** Whether the CRD of a type is being deleted, which waits for all its objects: none of them stays for pods then. */
  readonly isLeaving: (type: ResourceType) => Promise<boolean>;
  /** Whether a pass over a resource is under way: it may be about to make pods. */
  readonly isBusy: (resource: ResourceRef) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
  /** Between two tries of what failed, and two looks at pods that no cache knows. */
  readonly backoff?: BackoffOptions;
}

/** Pods end in bursts: so long, in milliseconds, one waits for the rest before a policy is looked at. */
const BURST_MS = 100;
/** How soon to look again, in milliseconds, while a pass over the policy's resource is under way. */
const BUSY_MS = 500;
/** How many policies are looked at at once: each takes a list of one pod and a write. */
const WORKERS = 5;
/** Longest time of a request, in milliseconds: then it is tried again. */
const DEADLINE_MS = 30_000;

/**
 * Lets a policy that is being deleted go once nothing that it covers can run: see staying.ts. It keeps nothing
 * that the caches don't tell, so anyone who leads next continues with it.
 */
export class PodProtection {
  readonly #options: PodProtectionOptions;
  readonly #queue: WorkQueue;
  readonly #end = new AbortController();
  #started = false;

  constructor(options: PodProtectionOptions) {
    const { clock, backoff, log } = options;
    this.#options = options;
    this.#queue = new WorkQueue((key) => this.#run(key), {
      clock,
      workers: WORKERS,
      ...(backoff !== undefined && { backoff }),
      onError: (key, err) => {
        if (!this.#end.signal.aborted)
          log.warn({ policy: key, err }, 'a policy could not be let go, and will be again');
      },
    });
  }

  /** Begins to work, with all that wait already. Not before this operator leads. */
  start(): void {
    this.#started = true;
    this.observeAll();
    this.#queue.start();
  }

  /** CRDs may have come or gone, of which no cache tells. */
  observeAll(): void {
    for (const child of this.#options.caches.all()) this.observe(child);
  }

  /** Something has changed about a policy that is being deleted, or about what it covers. */
  observe(child: ObservedChild): void {
    if (this.#started) this.#queue.add(keyOf(child), { delayMs: BURST_MS });
  }

  /** Breaks off what is under way: nothing is lost by it. */
  stop(): Promise<void> {
    this.#end.abort();
    return this.#queue.stop();
  }

  async #run(key: string): Promise<Outcome> {
    const { caches, isBusy, isLeaving, clock } = this.#options;
    const [namespace, type, name] = partsOf(key);
    const made = caches.get(namespace, type, name);
    // The end of what the caches know wakes it.
    if (made === undefined) return {};
    if (isHostPolicy(made.it) && (await isLeaving(this.#typeOf(made.it)))) return this.#letGo(made, true);
    if (caches.hasToStay(made)) return {};
    // A pass that begins later sees, as we do, that there are no pods, and makes none before the policy is created again.
    if (made.of.some(isBusy)) return { requeueAt: clock.now() + BUSY_MS };
    return this.#letGo(made, false);
  }

  async #letGo(made: Made<ObservedChild>, anyway: boolean): Promise<Outcome> {
    const { client, caches, identity } = this.#options;
    const { namespace, name, uid } = made.it;
    const live = await client.find(this.#typeOf(made.it), { namespace, name }, this.#call);
    // That it is gone, the watch will tell: a server that is not well says so of anything.
    if (live === undefined) return { retry: true };
    const selector = live.metadata.uid === uid ? staysFor(live, identity) : undefined;
    if (selector === undefined) {
      caches.learned(live);
      return { retry: true };
    }
    if (!anyway && (await canAnyRun(client, namespace, selector, this.#call))) return { retry: true };
    return this.#release(made, live);
  }

  async #release(made: Made<ObservedChild>, live: KubeObject): Promise<Outcome> {
    const { client, caches, identity, log } = this.#options;
    const options = { fieldManager: identity.fieldManager, ...this.#call };
    try {
      const left = await letGoOf(client, this.#typeOf(made.it), live, identity, options);
      const about = { namespace: made.it.namespace, policy: made.it.name };
      log.info(about, 'nothing holds the policy any more, so it goes');
      if ((left.metadata.finalizers ?? []).length > 0) caches.learned(left);
      else caches.released(made);
      return {};
    } catch (error) {
      if (isNotFound(error) || rejectionOf(error).type === 'stale') return { retry: true };
      throw error;
    }
  }

  get #call(): { readonly signal: AbortSignal; readonly deadlineMs: number } {
    return { signal: this.#end.signal, deadlineMs: DEADLINE_MS };
  }

  #typeOf(child: ObservedChild): ResourceType {
    const type = typeAmong(this.#options.types, child);
    if (type === undefined) throw new Error(`${groupKind(child)} is no type of a child`);
    return type;
  }
}

/** The namespace comes first: by it the queue takes turns. */
const keyOf = (child: ObservedChild): string => `${child.namespace}/${groupKind(child)}/${child.name}`;

/** Namespace, type and name of a key. */
function partsOf(key: string): readonly [namespace: string, type: string, name: string] {
  const [first, last] = [key.indexOf('/'), key.lastIndexOf('/')];
  return [key.slice(0, first), key.slice(first + 1, last), key.slice(last + 1)];
}
