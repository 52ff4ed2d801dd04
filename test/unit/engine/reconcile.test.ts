import { describe, expect, it } from 'vitest';
import { childStore, madeFor, resourceStore, takeIn, takeInChild } from '../../../operator/engine/caches.ts';
import { Facts } from '../../../operator/engine/facts.ts';
import type { Resource } from '../../../operator/engine/kind.ts';
import type { View } from '../../../operator/engine/view.ts';
import { isLeftAlone } from '../../../operator/engine/pause.ts';
import type { Outcome } from '../../../operator/engine/queue.ts';
import { Reconciler } from '../../../operator/engine/reconcile.ts';
import { ApiError, TransportError } from '../../../operator/kube/errors.ts';
import type { EventNote } from '../../../operator/kube/events.ts';
import type { KubeObject } from '../../../operator/kube/types.ts';
import { CONFIG_MAP, DEPLOYMENT, JOB, SERVICE, WIDGET, WIDGET_FINALIZER, widget } from '../../support/widget.ts';
import type { Widget, WidgetSpec, WidgetStatus } from '../../support/widget.ts';
import { FakeApi } from './fake-api.ts';
import { FakeClock } from './fake-clock.ts';

const REF = { kind: 'Widget', namespace: 'ns', name: 'w' };

/** An operator process: what it remembers is gone with it, what the API server has is not. */
class Process {
  readonly events: EventNote[] = [];
  /** Whether its watches are held up. */
  deaf = false;
  readonly #reconciler: Reconciler<Resource, unknown>;
  readonly #resources = resourceStore(widget);
  readonly #children = new Map(widget.childTypes.map(({ kind }) => [kind, childStore([widget])]));

  readonly #clock: FakeClock;

  constructor(api: FakeApi, clock: FakeClock) {
    this.#clock = clock;
    for (const object of api.objects.values()) this.tell(object, false);
    api.changed = (object, gone) => this.tell(object, gone);
    const view: View<Resource> = {
      resource: (key) => this.#resources.get(key),
      wroteResource: (object) => takeIn(this.#resources, object),
      rivalOf: () => undefined,
      around: () => ({
        children: [...this.#children.values()].flatMap((store) => madeFor(store, REF)),
        pods: [],
        related: {},
      }),
      wrote: (object) => takeInChild(this.#children.get(object.kind), object),
      wroteDelete: ({ kind, namespace, name, uid }) => {
        this.#children.get(kind)?.wroteDelete(`${namespace}/${name}`, uid);
      },
    };
    const record = (_: Resource, note: EventNote) => void this.events.push(note);
    const facts = new Facts({ answer: () => Promise.reject(new Error('no facts')), wake: () => {}, clock });
    this.#reconciler = new Reconciler({ kind: widget, client: api, view, facts, clock, record });
  }

  /** Takes in what the watches tell. */
  tell(object: KubeObject, gone: boolean): void {
    if (this.deaf) return;
    const store = object.kind === 'Widget' ? this.#resources : this.#children.get(object.kind);
    if (gone) store?.remove(object);
    else store?.put(object);
  }

  async pass(): Promise<Outcome> {
    return this.#reconciler.reconcile('ns/w');
  }

  /** Passes until one asks for no more. */
  async settle(): Promise<void> {
    for (let passes = 0; passes < 30; passes++) {
      const { retry = false, wakeAt = Infinity } = await this.pass();
      if (!retry && wakeAt === Infinity) return;
      await this.#clock.advance(1_000);
    }
    throw new Error('it does not come to rest');
  }
}

/** A cluster with a widget, and an operator on it. */
function cluster(spec: Partial<WidgetSpec> = {}) {
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

const resourceOf = (api: FakeApi): Widget => api.object(WIDGET, 'w') as KubeObject & Widget;
const statusOf = (api: FakeApi): WidgetStatus | undefined => resourceOf(api).status;

/** The controllers do their work. */
function ripen(api: FakeApi): void {
  if (api.object(JOB, 'w') !== undefined) {
    api.edit(JOB, 'w', { status: { conditions: [{ type: 'Complete', status: 'True' }] } });
  }
  if (api.object(DEPLOYMENT, 'w') === undefined) return;
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  api.edit(DEPLOYMENT, 'w', { status: { observedGeneration: 1, ...counts } });
}

/** Passes, and controllers that do their work, until nothing changes any more. */
async function converge(api: FakeApi, process: Process): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await process.settle();
    ripen(api);
  }
  await process.settle();
}

/** An object without what differs between two lives. */
function essence({ metadata, status, ...rest }: KubeObject): object {
  const { uid: _, resourceVersion: __, managedFields: ___, ownerReferences, ...meta } = metadata;
  const timeless = JSON.stringify(status)?.replaceAll(/"lastTransitionTime":"[^"]*"/g, '');
  return { ...rest, status: timeless, metadata: { ...meta, owned: ownerReferences !== undefined } };
}

const endOf = (api: FakeApi): readonly object[] =>
  [...api.objects.entries()].sort(([a], [b]) => a.localeCompare(b)).map(([, object]) => essence(object));

const CREATION = [
  'patch widgets/w',
  'apply configmaps/w',
  'apply deployments/w',
  'apply services/w',
  'apply widgets/w/status',
];

describe('a pass', () => {
  it('puts the finalizer on, makes the children in order, and writes the status once, at its end', async () => {
    const { api, process } = cluster();
    await process.pass();
    expect(api.calls).toEqual(CREATION);
    expect(resourceOf(api).metadata.finalizers).toEqual([WIDGET_FINALIZER]);
    expect(statusOf(api)).toMatchObject({ phase: 'Deploying', observedGeneration: 1 });
  });

  it('writes nothing where all is as it should be, nor after a restart', async () => {
    const { api, clock, process } = cluster({ job: true, keep: true });
    await converge(api, process);
    expect(statusOf(api)?.phase).toBe('Running');
    api.calls.length = 0;
    expect(await process.pass()).toEqual({ retry: false, wakeAt: Infinity });
    await new Process(api, clock).settle();
    expect(api.calls).toEqual([]);
  });

  it('knows of its own writes before any watch tells of them', async () => {
    const { api, clock, process } = cluster();
    process.deaf = true;
    await process.pass();
    await clock.advance(1_000);
    await process.pass();
    expect(api.calls).toEqual(CREATION);
  });

  it('asks for another pass after each write, until it writes nothing', async () => {
    const { clock, process } = cluster();
    expect(await process.pass()).toEqual({ retry: false, wakeAt: clock.now() });
    expect(await process.pass()).toEqual({ retry: false, wakeAt: Infinity });
  });

  it('holds a child back until what it comes after is ready', async () => {
    const { api, process } = cluster({ job: true });
    await process.settle();
    expect(api.object(DEPLOYMENT, 'w')).toBeUndefined();
    ripen(api);
    await process.settle();
    expect(api.object(DEPLOYMENT, 'w')).toBeDefined();
  });

  it('writes a status that changes in quick succession once, and says when it is due', async () => {
    const { api, clock, process } = cluster();
    await process.settle();
    await clock.advance(10_000);
    api.edit(SERVICE, 'w', { spec: { drifted: true } });
    ripen(api);
    await process.pass();
    api.calls.length = 0;
    api.edit(DEPLOYMENT, 'w', { status: { availableReplicas: 0 } });
    expect(await process.pass()).toMatchObject({ wakeAt: clock.now() + 500 });
    ripen(api);
    await process.pass();
    await clock.advance(500);
    await process.pass();
    expect(api.calls).toEqual([]);
  });

  it('writes the status before it destroys what the status tells of', async () => {
    const { api, process } = cluster({ job: true });
    await process.settle();
    api.edit(JOB, 'w', { status: { conditions: [{ type: 'Failed', status: 'True' }] } });
    api.calls.length = 0;
    await process.pass();
    expect(api.calls).toEqual(['apply widgets/w/status', 'delete jobs/w']);
    expect(statusOf(api)?.retries).toBe(1);
  });

  it('destroys nothing where the status was not taken', async () => {
    const { api, process } = cluster({ job: true });
    await process.settle();
    api.edit(JOB, 'w', { status: { conditions: [{ type: 'Failed', status: 'True' }] } });
    process.deaf = true;
    api.edit(WIDGET, 'w', { spec: { message: 'changed meanwhile' } });
    api.calls.length = 0;
    expect(await process.pass()).toEqual({ retry: true });
    expect(api.calls.filter((call) => call.startsWith('delete'))).toEqual([]);
    expect(statusOf(api)?.retries).toBeUndefined();
  });

  it('never writes a status onto a namesake that was made anew', async () => {
    const { api, process } = cluster();
    await process.settle();
    process.deaf = true;
    ripen(api);
    const { spec, ...rest } = resourceOf(api);
    api.drop(WIDGET, 'w');
    api.put(WIDGET, { ...rest, metadata: { name: 'w', namespace: 'ns' }, spec: { ...spec }, status: {} });
    process.deaf = false;
    process.tell(api.object(DEPLOYMENT, 'w')!, false);
    expect(await process.pass()).toMatchObject({ retry: true });
    expect(statusOf(api)).toEqual({});
  });

  it('tells a change of phase by an event, and not that a new resource is pending', async () => {
    const { api, process } = cluster();
    await converge(api, process);
    expect(process.events).toMatchObject([{ type: 'Normal', reason: 'Running' }]);
    api.edit(WIDGET, 'w', { spec: { broken: true } });
    await process.settle();
    expect(process.events.at(-1)).toMatchObject({ type: 'Warning', reason: 'Failed' });
    expect(process.events.at(-1)?.message).toContain('spec.broken: must not be true');
  });

  it('lets a spec that can not work wait for its next generation, and touches no child', async () => {
    const { api, process } = cluster({ broken: true });
    await process.settle();
    expect(api.calls).toEqual(['apply widgets/w/status']);
    expect(await process.pass()).toEqual({ wakeAt: Infinity });
  });

  it('lets a resource go whose spec can not work', async () => {
    const { api, process } = cluster();
    await converge(api, process);
    api.edit(WIDGET, 'w', { spec: { broken: true }, metadata: { deletionTimestamp: 'now' } });
    await process.settle();
    expect(api.object(WIDGET, 'w')).toBeUndefined();
  });

  it('deletes what must go before the resource, then lets it go, and makes nothing anew', async () => {
    const { api, process } = cluster();
    await converge(api, process);
    api.calls.length = 0;
    api.drop(CONFIG_MAP, 'w');
    api.edit(WIDGET, 'w', { metadata: { deletionTimestamp: 'now' } });
    await process.settle();
    expect(api.calls.filter((call) => !call.endsWith('status'))).toEqual(['delete services/w', 'patch widgets/w']);
    expect(await process.pass()).toEqual({});
  });
});

describe('a resource that is paused', () => {
  const pause = (api: FakeApi, value: string | undefined): void => {
    api.edit(WIDGET, 'w', { metadata: { annotations: { 'trunnion.dev/paused': value } } });
  };

  it('is left alone, says so, and goes on afterwards', async () => {
    const { api, process } = cluster();
    await converge(api, process);
    pause(api, 'for a while');
    api.edit(WIDGET, 'w', { spec: { message: 'changed', replicas: 1 } });
    api.edit(DEPLOYMENT, 'w', { metadata: { ...api.object(DEPLOYMENT, 'w')?.metadata, labels: {} } });
    const calls = api.calls.length;
    await process.settle();
    expect(api.calls.slice(calls)).toEqual(['apply widgets/w/status']);
    expect(statusOf(api)?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Paused', status: 'True', message: expect.stringContaining('"for a while"') }),
    );
    expect(isLeftAlone(resourceOf(api))).toBe(true);
    pause(api, 'for longer');
    expect(isLeftAlone(resourceOf(api))).toBe(false);

    pause(api, undefined);
    await converge(api, process);
    expect(statusOf(api)?.conditions?.map(({ type }) => type)).not.toContain('Paused');
    expect(api.object(CONFIG_MAP, 'w')).toMatchObject({ data: { message: 'changed' } });
  });

  it('makes nothing where it is new', async () => {
    const { api, process } = cluster();
    pause(api, 'from the start');
    await process.settle();
    expect(isLeftAlone(resourceOf(api))).toBe(true);
    expect([api.object(CONFIG_MAP, 'w'), resourceOf(api).metadata.finalizers ?? []]).toEqual([undefined, []]);
  });

  it('is not let go of while it is being deleted', async () => {
    const { api, process } = cluster();
    await converge(api, process);
    pause(api, 'for a while');
    api.edit(WIDGET, 'w', { metadata: { ...resourceOf(api).metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    await process.settle();
    expect(resourceOf(api).metadata.finalizers).toEqual([WIDGET_FINALIZER]);
  });
});

describe('what fails', () => {
  const refusal = (status: number, message: string) =>
    ({ error: new ApiError(status, { message }), when: 'before its effect' }) as const;

  it('names the CRD where that is older than the operator, so that no status can be written', async () => {
    const { api, process } = cluster();
    const words = '.status.workload: field not declared in schema';
    api.fault = (call) => (call === 'apply widgets/w/status' ? refusal(500, words) : undefined);
    await expect(process.pass()).rejects.toThrow('The CRD widgets.test.trunnion.dev is older than this operator');
    expect(process.events).toMatchObject([{ type: 'Warning', reason: 'OutdatedCRD' }]);
    expect(api.object(DEPLOYMENT, 'w')).toBeDefined();
  });

  it('lets one go that is deleted, though its CRD is too old for what would be recorded before', async () => {
    const { api, process } = cluster();
    const words = '.status.drain: field not declared in schema';
    api.fault = (call) => (call === 'apply widgets/w/status' ? refusal(500, words) : undefined);
    await expect(process.pass()).rejects.toThrow('older than this operator');
    process.events.length = 0;
    api.edit(WIDGET, 'w', { metadata: { ...resourceOf(api).metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    await process.settle();
    expect(api.object(SERVICE, 'w')).toBeUndefined();
    expect(api.object(WIDGET, 'w')).toBeUndefined();
    expect(process.events.filter(({ reason }) => reason === 'OutdatedCRD')).toHaveLength(1);
  });

  it('becomes a problem with the words of the server, keeps back what comes after it, and is tried again', async () => {
    const { api, process } = cluster();
    api.fault = (call) => (call === 'apply configmaps/w' ? refusal(403, 'no right to do so') : undefined);
    expect(await process.pass()).toMatchObject({ retry: true });
    expect(api.calls).toEqual(['patch widgets/w', 'apply services/w', 'apply widgets/w/status']);
    expect(statusOf(api)).toMatchObject({
      phase: 'Failed',
      conditions: [{ reason: 'Forbidden', message: 'no right to do so' }],
    });
    api.fault = () => undefined;
    await converge(api, process);
    expect(statusOf(api)?.phase).toBe('Running');
  });

  it('because the server is away ends the pass: what comes next would fail as well', async () => {
    const { api, process } = cluster();
    const tried: string[] = [];
    api.fault = (call) => {
      tried.push(call);
      return call === 'apply configmaps/w' ? refusal(503, 'starting') : undefined;
    };
    await process.pass();
    expect(tried).toEqual(['patch widgets/w', 'apply configmaps/w', 'apply widgets/w/status']);
  });

  it('says who has the name where an object is not ours, and leaves it alone', async () => {
    const { api, process } = cluster();
    const owner = { apiVersion: 'v1', kind: 'Other', name: 'x', uid: 'x', controller: true };
    const metadata = { name: 'w', namespace: 'ns', ownerReferences: [owner] };
    const foreign = api.put(SERVICE, { apiVersion: 'v1', kind: 'Service', metadata });
    await process.pass();
    expect(statusOf(api)?.conditions).toMatchObject([{ reason: 'NameTaken' }]);
    expect(statusOf(api)?.conditions?.[0]?.message).toContain('Service w exists and belongs to Other x');
    expect(api.object(SERVICE, 'w')).toEqual(foreign);
  });

  it('takes for done what the cluster rewrites at each apply, and applies it again where anybody else changes it', async () => {
    const { api, process } = cluster();
    const labelled = (value: string) => ({ metadata: { labels: { 'app.kubernetes.io/part-of': value } } });
    api.admit = ({ metadata, ...object }) => ({
      ...object,
      metadata: { ...metadata, labels: { ...metadata.labels, ...labelled('theirs').metadata.labels } },
    });
    await converge(api, process);
    expect(statusOf(api)?.phase).toBe('Running');
    const before = api.calls.length;
    await process.settle();
    expect(api.calls.slice(before)).toEqual([]);
    api.edit(SERVICE, 'w', labelled('another'));
    await process.settle();
    expect(api.calls.slice(before)).toEqual(['apply services/w']);
  });

  it('waits without a word for the garbage collector to remove children of an earlier resource of that name', async () => {
    const { api, process } = cluster();
    const owner = { apiVersion: 'test.trunnion.dev/v1', kind: 'Widget', name: 'w', uid: 'earlier', controller: true };
    const metadata = { name: 'w', namespace: 'ns', ownerReferences: [owner] };
    api.put(SERVICE, { apiVersion: 'v1', kind: 'Service', metadata });
    expect(await process.pass()).toMatchObject({ retry: true });
    expect(statusOf(api)?.phase).toBe('Deploying');
    api.drop(SERVICE, 'w');
    await converge(api, process);
    expect(statusOf(api)?.phase).toBe('Running');
  });

  it('adopts what it made when the answer was lost, and makes it once', async () => {
    const { api, process } = cluster();
    process.deaf = true;
    const error = new TransportError('the connection broke off', 'UND_ERR_SOCKET', true);
    api.fault = (call) => (call === 'apply services/w' ? { error, when: 'after its effect' } : undefined);
    await process.pass();
    const uid = api.object(SERVICE, 'w')?.metadata.uid;
    api.fault = () => undefined;
    process.deaf = false;
    await converge(api, process);
    expect(api.object(SERVICE, 'w')?.metadata.uid).toBe(uid);
    expect(statusOf(api)?.phase).toBe('Running');
  });
});

describe('an operator that is killed', () => {
  /** A life: made, run, changed, a child pruned. */
  async function live(api: FakeApi, process: () => Process): Promise<void> {
    await converge(api, process());
    api.edit(WIDGET, 'w', { spec: { message: 'changed', service: false } });
    await converge(api, process());
  }

  async function clean() {
    const { api, process } = cluster({ job: true, keep: true });
    await live(api, () => process);
    return { end: endOf(api), writes: api.calls.length };
  }

  it.each(['before its effect', 'after its effect'] as const)(
    'at any write, %s, comes to the same end, and makes nothing twice',
    async (when) => {
      const { end, writes } = await clean();
      for (let fatal = 1; fatal <= writes; fatal++) {
        const { api, clock, process: first } = cluster({ job: true, keep: true });
        let process = first;
        let count = 0;
        api.fault = () => {
          count += 1;
          if (count !== fatal) return undefined;
          return { error: new Error('killed'), when };
        };
        await live(api, () => process).catch(() => {
          process = new Process(api, clock);
          return live(api, () => process);
        });
        expect({ fatal, end: endOf(api) }).toEqual({ fatal, end });
        expect(api.made).toEqual([...new Set(api.made)]);
      }
    },
  );
});
