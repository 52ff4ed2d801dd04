import type { Kind, Resource } from './kind.ts';
import { freshMemory } from './memory.ts';
import type { Memory } from './memory.ts';
import { Pass, StaleError } from './pass.ts';
import type { PassContext, PassOptions } from './pass-options.ts';
import { STALE_RETRY_MS } from './problems.ts';
import type { Outcome } from './queue.ts';
import { Renders } from './renders.ts';

/** The control loop of one kind. */
export class Reconciler<R extends Resource, Runtime> {
  readonly #context: PassContext<R, Runtime>;
  readonly #memories = new Map<string, Memory>();

  constructor(options: PassOptions<R, Runtime>) {
    this.#context = { ...options, renders: new Renders(options.kind) };
  }

  /**
   * One pass over one resource. Every write is followed by another pass, until one writes nothing.
   *
   * @param key - `namespace/name`
   * @throws where the pass was aborted, or the right to write is gone
   */
  async reconcile(key: string, signal?: AbortSignal): Promise<Outcome> {
    const { kind, view, clock } = this.#context;
    const resource = view.resource(key);
    if (resource === undefined || isLeftToOthers(resource, kind)) {
      this.forget(key);
      return {};
    }
    const memory = this.#memoryOf(key, resource);
    const pass = new Pass(key, resource, memory, this.#context, signal);
    try {
      return await pass.run();
    } catch (error) {
      if (error instanceof StaleError) return { retry: true, wakeAt: clock.now() + STALE_RETRY_MS };
      throw error;
    } finally {
      if (pass.released) this.forget(key);
    }
  }

  /** Forgets a resource that is gone. */
  forget(key: string): void {
    this.#context.facts.forget(key);
    this.#memories.delete(key);
  }

  #memoryOf(key: string, { metadata }: R): Memory {
    const known = this.#memories.get(key);
    if (known?.uid === metadata.uid) return known;
    const memory = freshMemory(metadata.uid);
    this.#memories.set(key, memory);
    return memory;
  }
}

/** It is being deleted, and we have nothing to do first (any more): the garbage collector removes its children. */
const isLeftToOthers = ({ metadata }: Resource, { finalizer }: Pick<Kind, 'finalizer'>): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (finalizer === undefined || metadata.finalizers?.includes(finalizer) !== true);
