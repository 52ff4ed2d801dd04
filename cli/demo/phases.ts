import type { CommonStatus, Resource } from '../../operator/engine/api/index.ts';
import { type KubeClient, Reflector, type ResourceType, Store } from '../../operator/kube/index.ts';
import { primaryCondition } from '../status/primary-condition.ts';

/** A resource that may be served somewhere. */
type Served = Resource<unknown, CommonStatus & { readonly endpoint?: string; readonly url?: string }>;

/** A phase that a resource reached. */
export interface PhaseChange {
  readonly phase: string;
  /** What the most telling condition says. */
  readonly message: string;
  /** Where it is served, once it is. */
  readonly url: string | undefined;
}

/**
 * Follows the phases of a resource, and what it waits for while it is Pending, until it stays in one for as long as `lastAfter` says, in milliseconds; where that says
 * undefined, another phase is to come.
 *
 * @returns the last one
 */
export async function followPhases(
  { client, type, namespace, name }: { client: KubeClient; type: ResourceType; namespace: string; name: string },
  options: {
    readonly see: (change: PhaseChange) => void;
    readonly lastAfter: (phase: string) => number | undefined;
    readonly signal: AbortSignal;
  },
): Promise<PhaseChange> {
  const store = new Store({ transform: (object) => object as unknown as Served });
  const reflector = new Reflector({ client, type, namespace, fieldSelector: `metadata.name=${name}`, store });
  const last = Promise.withResolvers<PhaseChange>();
  let before: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  reflector.onChange((change) => {
    if (change.type === 'deleted') return last.reject(new Error(`${type.kind} ${name} was deleted`));
    const { phase, conditions = [], endpoint, url = endpoint } = change.value.status ?? {};
    if (phase === undefined) return;
    const { message = '', reason } = primaryCondition(conditions) ?? {};
    // What it waits for is no phase of its own, and is what a user wants to know.
    const now = phase === 'Pending' ? `${phase} ${reason}` : phase;
    if (now === before) return;
    before = now;
    const seen = { phase, message, url };
    options.see(seen);
    clearTimeout(timer);
    const ms = options.lastAfter(phase);
    if (ms !== undefined) timer = setTimeout(() => last.resolve(seen), ms);
  });
  const abort = () => last.reject(options.signal.reason);
  options.signal.addEventListener('abort', abort, { once: true });
  reflector.start();
  try {
    return await last.promise;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', abort);
    await reflector.stop();
  }
}
