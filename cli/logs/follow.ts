import type { Kind, Resource, ObservedPod } from '../../operator/engine/api/index.ts';
import { ApiError, pause } from '../../operator/kube/index.ts';
import type { KubeClient, Reflector } from '../../operator/kube/index.ts';
import { describe } from '../errors.ts';
import { deniedIn } from '../kube/denied.ts';
import { aborted } from '../signals.ts';
import { linesOf, type Line, Reading } from './lines.ts';
import { inOrder, podReflector } from './pods.ts';
import { isOver, type Selection, type Source, sourcesOf } from './sources.ts';

/** Between two looks: whether the resource has ended, and whether a log that broke off continues. */
const POLL_MS = 1_000;

/** How long nothing has come of a container that has ended when its log is taken for complete. */
const IDLE_MS = 1_000;

/** How logs are followed. */
export interface Following {
  readonly client: KubeClient;
  readonly kind: Kind;
  readonly resource: Resource;
  readonly selection: Selection;
  /** Of each container that is there at first; those that come later are read from their beginning. */
  readonly tailLines?: number;
  /** Is told of a source before its first line. */
  readonly add: (source: Source) => void;
  /** May say when the next line of this source can be taken: until then, no more of its log is read. */
  readonly write: (source: Source, line: Line) => Promise<void> | void;
  /**
   * So many containers are followed at a time; others that start meanwhile are left out.
   *
   * @default - all
   */
  readonly most?: number;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows the logs of all pods of a resource, those that come later too, until it has ended.
 *
 * @throws ApiError where the caller may not follow pods, or may not read their logs
 */
export async function followLogs(following: Following): Promise<void> {
  const { client, kind, resource, selection, signal, most = Infinity } = following;
  const denied = Promise.withResolvers<never>();
  // It is waited for only together with others.
  denied.promise.catch(() => undefined);
  const refuse = (error: unknown) => {
    if (deniedIn(error) !== undefined) denied.reject(error);
  };
  const reflector = podReflector(client, kind, resource, (event) => event.type === 'failed' && refuse(event.error));
  const reading = new Map<string, Promise<void>>();
  let tailLines = following.tailLines;
  let [count, isCut] = [0, false];
  const join = (pod: ObservedPod) => {
    for (const source of sourcesOf(pod, selection)) {
      const id = `${source.uid}/${source.container}/${source.run}`;
      if (reading.has(id)) continue;
      if (count >= most) {
        if (!isCut) following.log(`${most} containers are followed at a time: choose a pod to follow another one`);
        isCut = true;
        continue;
      }
      count += 1;
      following.add(source);
      const done = read(following, reflector, source, tailLines).catch(refuse);
      reading.set(
        id,
        done.finally(() => (count -= 1)),
      );
    }
  };
  reflector.start();
  try {
    await Promise.race([reflector.synced, aborted(signal), denied.promise]);
    for (const pod of inOrder([...reflector.store.values()])) join(pod);
    tailLines = undefined;
    reflector.onChange((change) => change.type !== 'deleted' && join(change.value));
    while (!signal.aborted && !(await hasEnded(client, kind, resource))) {
      await Promise.race([pause(POLL_MS, signal), denied.promise]);
    }
    await Promise.race([Promise.all(reading.values()), denied.promise]);
  } finally {
    await reflector.stop();
  }
}

/** Whether a resource is gone, or has run to its end, so that none of its pods will say anything more. */
async function hasEnded(client: KubeClient, { type }: Kind, { metadata }: Resource): Promise<boolean> {
  const { namespace = '', name, uid } = metadata;
  const live = (await client.find(type, { namespace, name })) as Resource | undefined;
  return (
    live?.metadata.uid !== uid || (live.status as { completionTime?: string } | undefined)?.completionTime !== undefined
  );
}

/** Tells one run of a container, to its end. */
async function read(
  following: Following,
  { store }: Reflector<ObservedPod>,
  source: Source,
  tailLines: number | undefined,
): Promise<void> {
  const { client, resource, write, log, signal } = following;
  const { namespace = '' } = resource.metadata;
  const hasEnded = () => isOver(source, store.get(`${namespace}/${source.pod}`));
  const reading = new Reading();
  while (!signal.aborted) {
    const { since } = reading;
    const first = tailLines === undefined ? {} : { tailLines };
    const part = since === undefined ? first : { sinceTime: since };
    const idle = new SilentEnd(hasEnded, signal);
    try {
      const options = { container: source.container, follow: true, timestamps: true, ...part };
      const opened = await client.openLog({ namespace, name: source.pod }, options, idle.signal);
      reading.again();
      for await (const line of linesOf(opened)) {
        idle.broken();
        const written = reading.isNew(line) ? write(source, line) : undefined;
        if (written instanceof Promise) await idle.during(written);
      }
      // A log that ends while its container runs was rotated, or its node was away for a moment.
      if (hasEnded()) return;
    } catch (error) {
      if (idle.isOver) return;
      if (deniedIn(error) !== undefined) throw error;
      if (error instanceof ApiError && error.status < 500) return log(`${source.label}: ${describe(error)}`);
    } finally {
      idle.end();
    }
    await pause(POLL_MS, signal);
  }
}

/** Ends the log of a container that has ended, once nothing more comes: not every node does so by itself. */
class SilentEnd {
  readonly #end = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly signal: AbortSignal;
  #since = performance.now();
  #isHeldUp = false;

  constructor(hasEnded: () => boolean, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#end.signal]);
    this.#timer = setInterval(() => {
      if (!this.#isHeldUp && hasEnded() && performance.now() - this.#since > IDLE_MS) this.#end.abort();
    }, POLL_MS);
  }

  /** Whether it has ended the log. */
  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  broken(): void {
    this.#since = performance.now();
  }

  /** Waits for the one who reads: meanwhile nothing more can come. */
  async during(written: Promise<void>): Promise<void> {
    this.#isHeldUp = true;
    await written;
    this.#isHeldUp = false;
    this.broken();
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
