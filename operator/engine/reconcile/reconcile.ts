import type { Kind, Resource } from '../api/index.ts';
import { freshMemory } from './memory.ts';
import type { Memory } from './memory.ts';
import { Pass } from './pass.ts';
import type { PassContext, PassOptions } from './pass-options.ts';
import { STALE_RETRY_MS } from '../api/index.ts';
import type { Outcome } from '../queue/index.ts';
import { StaleError, StallError } from './reconcile-errors.ts';
import { RenderCache } from '../plan/index.ts';
import { isSetAside, MOST_SLOW, setAside, stalledStatus } from './stalled.ts';
import type { Stall } from './stalled.ts';
import { applyStatus, finishStatus, isWritten } from './status.ts';

/** The control loop of one kind. */
export class Reconciler<R extends Resource, State> {
  readonly #context: PassContext<R, State>;
  readonly #memories = new Map<string, Memory>();

  constructor(options: PassOptions<R, State>) {
    this.#context = { ...options, renders: new RenderCache(options.kind) };
  }

  /**
   * One pass over one resource. Every write is followed by another pass, until one writes nothing.
   *
   * @param key - as `keyOf` makes it
   * @throws where the pass was aborted, the right to write is gone, or the kind itself failed: that is told on the
   * resource first
   */
  async reconcile(key: string, signal?: AbortSignal): Promise<Outcome> {
    const { kind, reader, watchdog } = this.#context;
    const resource = reader.resource(key);
    if (resource === undefined || isLeftToOthers(resource, kind)) {
      this.forget(key);
      return {};
    }
    const isDeleting = resource.metadata.deletionTimestamp !== undefined;
    if (isSetAside(resource) && !isDeleting) return {};
    const heldUntil = watchdog.heldUntil(resource.metadata.namespace ?? '');
    if (heldUntil > 0) return { requeueAt: heldUntil, postponed: true };
    const memory = this.#memoryOf(key, resource);
    try {
      const outcome = await this.#pass(key, resource, memory, signal);
      memory.stalls = 0;
      if (memory.slow < MOST_SLOW || isDeleting) return outcome;
    } catch (error) {
      if (!(error instanceof StallError)) throw error;
      memory.stalls += 1;
      const isTooSlow = memory.slow >= MOST_SLOW && !isDeleting;
      await this.#tell(key, isTooSlow ? setAside(resource) : error.stall, signal);
      throw error;
    }
    await this.#tell(key, setAside(resource), signal);
    return {};
  }

  /** Forgets a resource that is gone. */
  forget(key: string): void {
    this.#context.answers.forget(key);
    this.#memories.delete(key);
  }

  async #pass(key: string, resource: R, memory: Memory, signal: AbortSignal | undefined): Promise<Outcome> {
    const pass = new Pass(key, resource, memory, this.#context, signal);
    memory.slowNow = false;
    try {
      return await pass.run();
    } catch (error) {
      if (error instanceof StaleError) return { retry: true, requeueAt: this.#context.clock.now() + STALE_RETRY_MS };
      throw error;
    } finally {
      memory.slow = memory.slowNow ? memory.slow + 1 : 0;
      if (pass.released) this.forget(key);
    }
  }

  /** Tells on a resource why nothing is done for it. Where not even that can be written, an event is all that tells. */
  async #tell(key: string, stall: Stall, signal: AbortSignal | undefined): Promise<void> {
    const { client, clock, kind, record, transition, reader } = this.#context;
    const resource = reader.resource(key);
    if (resource === undefined) return;
    const status = finishStatus(resource, stalledStatus(resource, stall, clock.now()));
    if (isWritten(resource, status)) return;
    record(resource, { type: 'Warning', action: 'Reconcile', ...stall });
    try {
      const call = signal === undefined ? {} : { signal };
      reader.wroteResource(await applyStatus(client, kind.type, resource, status, call));
      transition?.(resource, status);
    } catch {
      // Refused as well, or out of date: the next try, after the backoff, comes here again.
    }
  }

  /** Counts are about what the user last wrote. */
  #memoryOf(key: string, { metadata }: R): Memory {
    const known = this.#memories.get(key);
    const memory = known?.uid === metadata.uid ? known : freshMemory(metadata.uid);
    this.#memories.set(key, memory);
    if (memory.generation === metadata.generation) return memory;
    return Object.assign(memory, { generation: metadata.generation, slow: 0, stalls: 0 });
  }
}

/** It is being deleted, and we have nothing to do first (any more): the garbage collector removes its children. */
const isLeftToOthers = ({ metadata }: Resource, { finalizer }: Pick<Kind, 'finalizer'>): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (finalizer === undefined || metadata.finalizers?.includes(finalizer) !== true);
