import { TRUNNION } from '../../../operator/trunnion.ts';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { Kind } from '../../../operator/engine/api/kind.ts';
import { Cache } from '../../../operator/engine/cache/cache.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject, ObjectMeta, ResourceType } from '../../../operator/kube/client/types.ts';
import { apiVersionOf } from '../../../operator/kube/client/types.ts';
import { CONFIG_MAP, DEPLOYMENT, GADGET, WIDGET, widget } from '../../support/widget.ts';

const PART: ResourceType = { group: 'test.trunnion.dev', version: 'v1', kind: 'Part', plural: 'parts' };

/** A kind whose resources each refer to the part that their spec names. */
const kind: Kind = {
  ...(widget as Kind),
  refersTo: [PART],
  references: ({ spec }) => [`Part/${(spec as { part: string }).part}`],
};

/** What the server streams: what is there at first, then what a test tells. */
class Stream {
  readonly #bodies = new Map<string, PassThrough>();
  readonly #initial = new Map<string, KubeObject[]>();
  #version = 100;

  object(type: ResourceType, name: string, rest: object = {}, metadata: Partial<ObjectMeta> = {}): KubeObject {
    const meta = { namespace: 'ns', uid: name, creationTimestamp: '2026-01-01T00:00:00Z', ...metadata };
    const resourceVersion = `${(this.#version += 1)}`;
    return { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { name, ...meta, resourceVersion }, ...rest };
  }

  initially(type: ResourceType, ...objects: KubeObject[]): void {
    this.#initial.set(type.plural, objects);
  }

  log(verb: 'ADDED' | 'MODIFIED' | 'DELETED', type: ResourceType, object: KubeObject): Promise<void> {
    this.#bodies.get(type.plural)?.write(`${JSON.stringify({ type: verb, object })}\n`);
    return new Promise((resolve) => setTimeout(resolve, 10));
  }

  readonly client = {
    list: () => Promise.reject(new Error('the list is streamed')),
    watch: async (type: ResourceType, _: unknown, __: unknown, signal: AbortSignal) => {
      const body = new PassThrough();
      signal.addEventListener('abort', () => body.destroy());
      this.#bodies.set(type.plural, body);
      for (const object of this.#initial.get(type.plural) ?? []) await this.log('ADDED', type, object);
      const metadata = { resourceVersion: `${this.#version}`, annotations: { 'k8s.io/initial-events-end': 'true' } };
      const bookmark = { apiVersion: apiVersionOf(type), kind: type.kind, metadata };
      body.write(`${JSON.stringify({ type: 'BOOKMARK', object: bookmark })}\n`);
      return body;
    },
  };
}

/** Of a kind that has no children and refers to nothing. */
const ALONE = { childTypes: [], refersTo: [], references: () => [] };

const labels = { 'app.kubernetes.io/name': 'widget', 'app.kubernetes.io/instance': 'w' };
const owner = { apiVersion: 'test.trunnion.dev/v1', kind: 'Widget', name: 'w', uid: 'w', controller: true };

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

async function watch(
  stream: Stream,
  served: { gadgets: boolean } = { gadgets: false },
  kinds: readonly Kind[] = [kind],
) {
  const wakes: string[] = [];
  const watches = new Cache({
    client: stream.client,
    kinds,
    identity: TRUNNION,
    isServed: (type) => Promise.resolve(type.kind !== 'Gadget' || served.gadgets),
    enqueue: ({ kind: of, namespace, name }, { initial, what }) =>
      wakes.push(`${of} ${namespace}/${name} ${initial ? 'initial ' : ''}${what}`),
  });
  stop = () => watches.stop();
  await watches.followOptional();
  watches.start();
  await watches.synced();
  return { watches, wakes, resource: (key: string) => watches.reader(kind).resource(key)! };
}

describe('watches', () => {
  it('follow a type twice whose objects are resources and children of others as well', async () => {
    const nested: Kind = { ...kind, childTypes: [...kind.childTypes, WIDGET] };
    const { watches } = await watch(new Stream(), { gadgets: false }, [nested]);
    const names = watches.states.filter(({ state }) => state === 'live').map(({ type }) => type);
    expect(names).toEqual(expect.arrayContaining(['test.trunnion.dev/Widget', 'test.trunnion.dev/Widget as a child']));
  });

  it('wake a resource for itself, its children by owner or label, its pods, and what it refers to', async () => {
    const stream = new Stream();
    stream.initially(
      WIDGET,
      stream.object(WIDGET, 'w', { spec: { part: 'p' } }, { managedFields: [{ manager: 'x' }] }),
    );
    const { wakes, resource } = await watch(stream);
    expect(wakes).toEqual(['Widget ns/w initial resource']);
    expect(resource('ns/w').metadata.managedFields).toBeUndefined();
    wakes.length = 0;
    await stream.log('ADDED', DEPLOYMENT, stream.object(DEPLOYMENT, 'd', {}, { ownerReferences: [owner] }));
    await stream.log('ADDED', CONFIG_MAP, stream.object(CONFIG_MAP, 'kept', {}, { labels }));
    await stream.log('ADDED', TYPES.pod, stream.object(TYPES.pod, 'pod', {}, { labels }));
    await stream.log('ADDED', PART, stream.object(PART, 'p'));
    await stream.log('ADDED', PART, stream.object(PART, 'other'));
    expect(wakes).toEqual(['Widget ns/w child', 'Widget ns/w child', 'Widget ns/w pod', 'Widget ns/w related']);
  });

  it('show what is around a resource, and nothing of its neighbours', async () => {
    const stream = new Stream();
    stream.initially(WIDGET, stream.object(WIDGET, 'w', { spec: { part: 'p' } }));
    stream.initially(
      DEPLOYMENT,
      stream.object(DEPLOYMENT, 'd', {}, { ownerReferences: [owner] }),
      stream.object(DEPLOYMENT, 'neighbour', {}, { ownerReferences: [{ ...owner, name: 'x' }] }),
      stream.object(DEPLOYMENT, 'stranger', {}, { labels, ownerReferences: [{ ...owner, kind: 'Other' }] }),
    );
    stream.initially(TYPES.pod, stream.object(TYPES.pod, 'pod', {}, { labels }));
    stream.initially(PART, stream.object(PART, 'p', { spec: { size: 1 } }));
    const { watches, resource } = await watch(stream);
    const around = watches.reader(kind).around(resource('ns/w'));
    expect(around.children.map(({ name }) => name)).toEqual(['d']);
    expect(around.pods.map(({ name }) => name)).toEqual(['pod']);
    expect(around.related).toMatchObject({ 'Part/p': { spec: { size: 1 } } });
    expect(watches.pod('ns', 'pod')?.name).toBe('pod');
  });

  it('wake nobody where nothing has changed that is kept', async () => {
    const stream = new Stream();
    const { wakes } = await watch(stream);
    const status = { readyReplicas: 1 };
    const meta = { ownerReferences: [owner] };
    await stream.log('ADDED', DEPLOYMENT, stream.object(DEPLOYMENT, 'd', { status }, meta));
    await stream.log('MODIFIED', DEPLOYMENT, stream.object(DEPLOYMENT, 'd', { status: { ...status, noise: 1 } }, meta));
    expect(wakes).toHaveLength(1);
    await stream.log('MODIFIED', DEPLOYMENT, stream.object(DEPLOYMENT, 'd', { status: { readyReplicas: 2 } }, meta));
    expect(wakes).toHaveLength(2);
  });

  it('tell that a child has become ready, once', async () => {
    const stream = new Stream();
    const { wakes } = await watch(stream);
    const deployment = (ready: number, noise = 0) => {
      const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: ready, availableReplicas: ready };
      return stream.object(DEPLOYMENT, 'd', { status: { ...counts, noise } }, { ownerReferences: [owner] });
    };
    await stream.log('ADDED', DEPLOYMENT, deployment(0));
    await stream.log('MODIFIED', DEPLOYMENT, deployment(1));
    await stream.log('MODIFIED', DEPLOYMENT, deployment(1, 1));
    await stream.log('MODIFIED', DEPLOYMENT, deployment(0));
    expect(wakes).toEqual(['Widget ns/w child', 'Widget ns/w ready', 'Widget ns/w child']);
  });

  it('wake both where a child passes from one to another, and the one that loses it', async () => {
    const stream = new Stream();
    const { wakes } = await watch(stream);
    await stream.log('ADDED', DEPLOYMENT, stream.object(DEPLOYMENT, 'd', {}, { ownerReferences: [owner] }));
    const other = { ...owner, name: 'other' };
    await stream.log('MODIFIED', DEPLOYMENT, stream.object(DEPLOYMENT, 'd', {}, { ownerReferences: [other] }));
    await stream.log('DELETED', DEPLOYMENT, stream.object(DEPLOYMENT, 'd', {}, { ownerReferences: [other] }));
    expect(wakes).toEqual(['Widget ns/w child', 'Widget ns/w child', 'Widget ns/other child', 'Widget ns/other child']);
  });

  it('tell nobody of our own writes, and have them at once', async () => {
    const stream = new Stream();
    stream.initially(WIDGET, stream.object(WIDGET, 'w', { spec: { part: 'p' } }));
    const { watches, wakes, resource } = await watch(stream);
    wakes.length = 0;
    const view = watches.reader(kind);
    const made = stream.object(DEPLOYMENT, 'd', {}, { ownerReferences: [owner] });
    view.wrote(made);
    const [child] = view.around(resource('ns/w')).children;
    expect(child?.name).toBe('d');
    await stream.log('ADDED', DEPLOYMENT, made);
    view.wroteDelete(child!);
    expect(view.around(resource('ns/w')).children).toEqual([]);
    view.wroteResource(stream.object(WIDGET, 'w', {}, { deletionTimestamp: 'now', finalizers: [] }));
    expect(view.resource('ns/w')).toBeUndefined();
    expect(wakes).toEqual([]);
  });

  it('wake those who refer to a resource that we write ourselves, since the stream tells nothing new of it', async () => {
    const stream = new Stream();
    stream.initially(WIDGET, stream.object(WIDGET, 'w', { spec: { part: 'p' } }));
    const partKind: Kind = { ...(widget as Kind), type: PART, label: 'part', childTypes: [] };
    const { watches, wakes } = await watch(stream, undefined, [kind, partKind]);
    await stream.log('ADDED', PART, stream.object(PART, 'p'));
    wakes.length = 0;
    const written = stream.object(PART, 'p', { status: { phase: 'Running' } });
    watches.reader(partKind).wroteResource(written);
    await stream.log('MODIFIED', PART, written);
    expect(wakes).toEqual(['Widget ns/w related']);
  });

  it('follow an optional type as it comes and goes', async () => {
    const stream = new Stream();
    const served = { gadgets: false };
    stream.initially(GADGET, stream.object(GADGET, 'g', {}, { ownerReferences: [owner] }));
    const { watches, wakes } = await watch(stream, served);
    const types = () => watches.states.map(({ type }) => type);
    expect(types()).not.toContain('test.trunnion.dev/Gadget');
    served.gadgets = true;
    await watches.followOptional();
    await watches.synced();
    expect(watches.states).toContainEqual({ type: 'test.trunnion.dev/Gadget', state: 'live', message: '', objects: 1 });
    expect(wakes).toEqual(['Widget ns/w initial child']);
    served.gadgets = false;
    await watches.followOptional();
    expect(types()).not.toContain('test.trunnion.dev/Gadget');
    expect(wakes.at(-1)).toBe('Widget ns/w child');
  });

  it('follow an optional kind, and what it refers to, as they come and go', async () => {
    const stream = new Stream();
    const served = { gadgets: false };
    const gadgetKind: Kind = { ...kind, ...ALONE, type: { ...GADGET, optional: true } };
    stream.initially(GADGET, stream.object(GADGET, 'g', { spec: {} }));
    const { watches, wakes } = await watch(stream, served, [{ ...kind, childTypes: [] }, gadgetKind]);
    expect([...watches.resources(gadgetKind)]).toEqual([]);
    expect(watches.reader(gadgetKind).resource('ns/g')).toBeUndefined();
    served.gadgets = true;
    await watches.followOptional();
    await watches.synced();
    expect(wakes).toEqual(['Gadget ns/g initial resource']);
    expect(watches.reader(gadgetKind).resource('ns/g')).toBeDefined();
    served.gadgets = false;
    await watches.followOptional();
    expect(watches.reader(gadgetKind).resource('ns/g')).toBeUndefined();
    expect(wakes.at(-1)).toBe('Gadget ns/g resource');
  });

  it('wake the resources of all kinds that the labels of a pod may mean, and that there are', async () => {
    const stream = new Stream();
    const gadgetKind: Kind = { ...kind, ...ALONE, type: { ...GADGET, optional: true } };
    const { watches, wakes } = await watch(stream, { gadgets: true }, [{ ...kind, childTypes: [] }, gadgetKind]);
    await stream.log('ADDED', TYPES.pod, stream.object(TYPES.pod, 'early', {}, { labels }));
    expect(wakes).toEqual(['Widget ns/w pod']);
    await stream.log('ADDED', GADGET, stream.object(GADGET, 'w', { spec: {} }));
    wakes.length = 0;
    await stream.log('ADDED', TYPES.pod, stream.object(TYPES.pod, 'late', {}, { labels }));
    expect(wakes).toEqual(['Widget ns/w pod', 'Gadget ns/w pod']);
    const gadget = watches.reader(gadgetKind).resource('ns/w')!;
    expect(watches.reader(gadgetKind).around(gadget).pods).toHaveLength(2);
  });

  it('tell of two resources that make the same objects which was there first, and wake the other when it goes', async () => {
    const stream = new Stream();
    const gadgetKind: Kind = { ...kind, ...ALONE, type: { ...GADGET, optional: true } };
    const kinds = [{ ...kind, childTypes: [] }, gadgetKind];
    const { watches, wakes } = await watch(stream, { gadgets: true }, kinds);
    const older = stream.object(GADGET, 'w', { spec: {} });
    const newer = { spec: { part: 'p' } };
    await stream.log('ADDED', GADGET, older);
    const meta = { creationTimestamp: '2026-01-02T00:00:00Z' };
    await stream.log('ADDED', WIDGET, stream.object(WIDGET, 'w', newer, meta));
    const views = kinds.map((each) => watches.reader(each));
    expect(views.map((view) => view.conflictOf(view.resource('ns/w')!)?.kind)).toEqual(['Gadget', undefined]);
    wakes.length = 0;
    await stream.log('DELETED', GADGET, older);
    expect(wakes).toEqual(['Gadget ns/w resource', 'Widget ns/w related']);
    expect(views[0]?.conflictOf(views[0].resource('ns/w')!)).toBeUndefined();
  });

  it('are complete without an optional type that has gone since it was served', async () => {
    const stream = new Stream();
    const served = { gadgets: true };
    const { watch: others } = stream.client;
    const client = {
      ...stream.client,
      watch: (type: ResourceType, ...rest: [unknown, unknown, AbortSignal]) =>
        type.kind === 'Gadget' ? Promise.reject(new Error('not found')) : others(type, ...rest),
    };
    const watches = new Cache({
      client,
      kinds: [kind],
      identity: TRUNNION,
      isServed: () => Promise.resolve(served.gadgets),
      enqueue: () => undefined,
    });
    stop = () => watches.stop();
    await watches.followOptional();
    watches.start();
    const synced = watches.synced();
    served.gadgets = false;
    await watches.followOptional();
    await synced;
    expect(watches.hasSynced).toBe(true);
  });
});
