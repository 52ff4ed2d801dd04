import { OBSERVER } from '../../support/as-trunnion.ts';
import { TRUNNION } from '../../../operator/trunnion.ts';
import {
  childStore,
  madeFor,
  resourceStore,
  takeIn,
  takeInChild,
  takeInFound,
} from '../../../operator/engine/cache/cache-stores.ts';
import { Resolver } from '../../../operator/engine/queries/resolver.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import type { Reader } from '../../../operator/engine/cache/reader.ts';
import type { Outcome } from '../../../operator/engine/queue/queue.ts';
import { Watchdog } from '../../../operator/engine/telemetry/watchdog.ts';
import { passContext, type PassContext } from '../../../operator/engine/reconcile/pass-options.ts';
import { reconcile } from '../../../operator/engine/reconcile/reconcile.ts';
import type { EventNote } from '../../../operator/kube/events.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { DEPLOYMENT, JOB, WIDGET, widget } from '../../support/widget.ts';
import type { Widget, WidgetSpec, WidgetStatus } from '../../support/widget.ts';
import { FakeApi } from './fake-api.ts';
import { FakeClock } from './fake-clock.ts';

/** Short, so that tests of what never ends are over soon. */
const WATCHDOG_MS = 60;

const REF = { kind: 'Widget', namespace: 'ns', name: 'w' };

/** An operator process: what it remembers is gone with it, what the API server has is not. */
export class Process {
  readonly events: EventNote[] = [];
  /** Whether its watches are held up. */
  deaf = false;
  readonly #context: PassContext<Resource, unknown>;
  readonly #resources = resourceStore(widget);
  readonly #children = new Map(widget.childTypes.map(({ kind }) => [kind, childStore([widget], OBSERVER)]));

  readonly #clock: FakeClock;

  constructor(api: FakeApi, clock: FakeClock, kind: typeof widget = widget, cpuMs: () => number = () => 0) {
    this.#clock = clock;
    for (const object of api.objects.values()) this.log(object, false);
    api.changed = (object, gone) => this.log(object, gone);
    const view: Reader<Resource> = {
      resource: (key) => this.#resources.get(key),
      wroteResource: (object) => takeIn(this.#resources, object),
      conflictOf: () => undefined,
      around: () => ({
        children: [...this.#children.values()].flatMap((store) => madeFor(store, REF)),
        pods: [],
        related: {},
      }),
      wrote: (object) => takeInChild(this.#children.get(object.kind), object, OBSERVER),
      found: (object) => takeInFound(this.#children.get(object.kind), object),
      wroteDelete: ({ kind, namespace, name, uid }) => {
        this.#children.get(kind)?.wroteDelete(`${namespace}/${name}`, uid);
      },
    };
    const record = (_: Resource, note: EventNote) => void this.events.push(note);
    const watchdog = new Watchdog({ now: () => clock.now(), deadlineMs: WATCHDOG_MS, cpuMs });
    const answers = new Resolver({ answer: () => Promise.reject(new Error('no facts')), enqueue: () => {}, clock });
    this.#context = passContext({
      kind,
      identity: TRUNNION,
      client: api,
      reader: view,
      answers,
      clock,
      record,
      watchdog,
    });
  }

  /** Takes in what the watches tell. */
  log(object: KubeObject, gone: boolean): void {
    if (this.deaf) return;
    const store = object.kind === 'Widget' ? this.#resources : this.#children.get(object.kind);
    if (gone) store?.remove(object);
    else store?.put(object);
  }

  async pass(): Promise<Outcome> {
    return reconcile('ns/w', this.#context);
  }

  /** Passes until one asks for no more. */
  async settle(): Promise<void> {
    for (let passes = 0; passes < 30; passes++) {
      const { retry = false, requeueAt = Infinity } = await this.pass();
      if (!retry && requeueAt === Infinity) return;
      await this.#clock.advance(1_000);
    }
    throw new Error('it does not come to rest');
  }
}

/** A cluster with a widget, and an operator on it. */
export function cluster(spec: Partial<WidgetSpec> = {}) {
  const api = new FakeApi();
  const clock = new FakeClock(Date.parse('2026-01-01T00:00:00Z'));
  api.put(WIDGET, {
    apiVersion: 'test.trunnion.dev/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'ns' },
    spec: { message: 'hello', replicas: 1, ...spec },
  });
  const process = new Process(api, clock);
  return { api, clock, process };
}

export const resourceOf = (api: FakeApi): Widget => api.object(WIDGET, 'w') as KubeObject & Widget;
export const statusOf = (api: FakeApi): WidgetStatus | undefined => resourceOf(api).status;

/** The controllers do their work. */
export function ripen(api: FakeApi): void {
  if (api.object(JOB, 'w') !== undefined) {
    api.edit(JOB, 'w', { status: { conditions: [{ type: 'Complete', status: 'True' }] } });
  }
  if (api.object(DEPLOYMENT, 'w') === undefined) return;
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  api.edit(DEPLOYMENT, 'w', { status: { observedGeneration: 1, ...counts } });
}

/** Passes, and controllers that do their work, until nothing changes any more. */
export async function converge(api: FakeApi, process: Process): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await process.settle();
    ripen(api);
  }
  await process.settle();
}
