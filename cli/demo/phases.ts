import type { CommonStatus, Resource } from '../../operator/engine/kind.ts';
import { type KubeClient, Reflector, type ResourceType, Store } from '../../operator/kube/index.ts';
import { telling } from '../status/telling.ts';

/** A resource that may be served somewhere. */
type Served = Resource<unknown, CommonStatus & { readonly endpoint?: string; readonly url?: string }>;

/** A phase that a resource came to. */
export interface PhaseChange {
  readonly phase: string;
  /** What the most telling condition says. */
  readonly message: string;
  /** Where it is served, once it is. */
  readonly url: string | undefined;
}

/**
 * Follows the phases of a resource, until `isLast` says of one that it is the last.
 *
 * @returns the last one
 */
export async function followPhases(
  { client, type, namespace, name }: { client: KubeClient; type: ResourceType; namespace: string; name: string },
  options: {
    readonly see: (change: PhaseChange) => void;
    readonly isLast: (phase: string) => boolean;
    readonly signal: AbortSignal;
  },
): Promise<PhaseChange> {
  const store = new Store({ transform: (object) => object as unknown as Served });
  const reflector = new Reflector({ client, type, namespace, fieldSelector: `metadata.name=${name}`, store });
  const last = Promise.withResolvers<PhaseChange>();
  let before: string | undefined;
  reflector.onChange((change) => {
    if (change.type === 'deleted') return last.reject(new Error(`${type.kind} ${name} was deleted`));
    const { phase, conditions = [], endpoint, url = endpoint } = change.value.status ?? {};
    if (phase === undefined || phase === before) return;
    before = phase;
    const seen = { phase, message: telling(conditions)?.message ?? '', url };
    options.see(seen);
    if (options.isLast(phase)) last.resolve(seen);
  });
  const abort = () => last.reject(options.signal.reason);
  options.signal.addEventListener('abort', abort, { once: true });
  reflector.start();
  try {
    return await last.promise;
  } finally {
    options.signal.removeEventListener('abort', abort);
    await reflector.stop();
  }
}
