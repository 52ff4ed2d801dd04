import { OBSERVER } from '../../support/as-trunnion.ts';
import { TRUNNION } from '../../../operator/trunnion.ts';
import { describe, expect, it } from 'vitest';
import { childStore, podStore, typeName } from '../../../operator/engine/cache/cache-stores.ts';
import { groupKind } from '../../../operator/engine/api/identity.ts';
import { createLogger } from '../../../operator/engine/telemetry/log.ts';
import { PodProtection } from '../../../operator/engine/reconcile/pod-protection.ts';
import type { ResourceRef } from '../../../operator/engine/observe/snapshot.ts';
import { StayingCaches } from '../../../operator/engine/cache/staying-caches.ts';
import { ApiError } from '../../../operator/kube/client/errors.ts';
import type { ListOptions } from '../../../operator/kube/client/options.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/client/types.ts';
import { DEPLOYMENT, JOB, widget } from '../../support/widget.ts';
import { FakeApi } from './fake-api.ts';
import { FakeClock } from './fake-clock.ts';

const selector = { 'app.kubernetes.io/name': 'widget', 'app.kubernetes.io/instance': 'w' };
const labels = { ...selector, 'app.kubernetes.io/part-of': 'trunnion', 'app.kubernetes.io/managed-by': 'trunnion' };
const template = { metadata: { labels }, spec: {} };
/** A pod that no widget's policy selects. */
const other = {
  metadata: {
    name: 'b',
    namespace: 'ns',
    uid: 'b',
    labels: { app: 'other' },
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  status: { phase: 'Running' },
};

/** A policy that is being deleted, and an operator that leads. */
class Bench {
  readonly api = new FakeApi();
  readonly clock = new FakeClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly woken: ResourceRef[] = [];
  /** Whether a pass over the widget is under way. */
  isBusy = false;
  /** Whether the CRD of Cilium is being deleted. */
  isCiliumLeaving = false;
  /** Whether the watch of pods tells nothing any more. */
  isDeaf = false;
  /** How often the server was asked for pods, and with what. */
  readonly asked: ListOptions[] = [];
  readonly #children = new Map(
    [TYPES.networkPolicy, TYPES.ciliumNetworkPolicy, DEPLOYMENT, JOB].map(
      (type) => [typeName(type), { store: childStore([widget], OBSERVER) }] as const,
    ),
  );
  readonly #pods = { store: podStore([widget], TRUNNION) };
  readonly #protection: PodProtection;

  constructor() {
    const enqueue = (refs: readonly ResourceRef[]): void => void this.woken.push(...refs);
    const view = new StayingCaches({
      children: this.#children,
      pods: this.#pods,
      kinds: ['Widget', 'Gadget'],
      enqueue,
    });
    const client = {
      find: this.api.find.bind(this.api),
      patch: this.api.patch.bind(this.api),
      list: async (_: ResourceType, options: ListOptions) => {
        this.asked.push(options);
        const asked = options.labelSelector ?? '';
        const items = this.all(TYPES.pod).filter(
          ({ metadata, status }) =>
            !['Succeeded', 'Failed'].includes((status as { phase: string }).phase) &&
            asked.split(',').every((pair) => metadata.labels?.[pair.split('=')[0] ?? ''] === pair.split('=')[1]),
        );
        return Promise.resolve({ metadata: {}, items });
      },
    };
    this.#protection = new PodProtection({
      client,
      identity: TRUNNION,
      caches: view,
      types: [TYPES.networkPolicy, TYPES.ciliumNetworkPolicy],
      isLeaving: async ({ kind }) => Promise.resolve(this.isCiliumLeaving && kind === TYPES.ciliumNetworkPolicy.kind),
      isBusy: () => this.isBusy,
      clock: this.clock,
      log: createLogger('silent'),
      backoff: { random: () => 0.5 },
    });
    this.api.changed = (object, gone) => {
      const store = object.kind === 'Pod' ? this.#pods.store : this.#children.get(groupKind(object))?.store;
      if (object.kind === 'Pod' && this.isDeaf) return;
      if (gone) store?.remove(object);
      else store?.put(object);
      for (const child of view.of([{ kind: 'Widget', namespace: 'ns', name: 'w' }])) this.#protection.observe(child);
    };
  }

  all({ kind }: ResourceType): readonly KubeObject[] {
    return [...this.api.objects.values()].filter((object) => object.kind === kind);
  }

  put(type: ResourceType, name: string, rest: object, metadata: object = {}): void {
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    const meta = { name, namespace: 'ns', labels, ...metadata };
    this.api.put(type, { apiVersion, kind: type.kind, metadata: meta, ...rest });
  }

  pod(name: string, phase = 'Running', rest: object = {}): void {
    this.put(TYPES.pod, name, { status: { phase, ...rest } });
  }

  /** One that somebody has deleted. */
  leaving(metadata: object = {}, matchLabels: Readonly<Record<string, string>> = selector): void {
    const deletion = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [TRUNNION.podProtection] };
    const spec = { podSelector: { matchLabels } };
    this.put(TYPES.networkPolicy, 'w', { spec }, { ...deletion, ...metadata });
  }

  /** The same of the policy that opens hosts. */
  leavingHosts(): void {
    const deletion = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [TRUNNION.podProtection] };
    this.put(TYPES.ciliumNetworkPolicy, 'w', { spec: { endpointSelector: { matchLabels: selector } } }, deletion);
  }

  start(): void {
    this.#protection.start();
  }

  /** Once a minute it is found out again which types there are. */
  observeAll(): void {
    this.#protection.observeAll();
  }

  stop(): Promise<void> {
    return this.#protection.stop();
  }

  get policy(): KubeObject | undefined {
    return this.api.object(TYPES.networkPolicy, 'w');
  }

  /** Lets so many seconds go by. */
  async seconds(count: number): Promise<void> {
    for (let step = 0; step < count * 10; step++) await this.clock.advance(100);
  }
}

function bench(): Bench {
  const made = new Bench();
  made.start();
  return made;
}

const WIDGET_REF = { kind: 'Widget', namespace: 'ns', name: 'w' };

describe('a NetworkPolicy that is being deleted', () => {
  it('goes where it covers nothing, and its owner reconciles at once', async () => {
    const its = bench();
    its.leaving();
    await its.seconds(1);
    expect(its.policy).toBeUndefined();
    // Of other kinds, one of the policy's name may wait for the name.
    expect(its.woken).toEqual([WIDGET_REF, WIDGET_REF, { ...WIDGET_REF, kind: 'Gadget' }]);
    expect(its.asked).toMatchObject([
      {
        namespace: 'ns',
        labelSelector: 'app.kubernetes.io/name=widget,app.kubernetes.io/instance=w',
        fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed',
        limit: 1,
      },
    ]);
  });

  it.each<readonly [string, (its: Bench) => void, end: (its: Bench) => void]>([
    ['a pod that runs', (its) => its.pod('a'), (its) => its.api.drop(TYPES.pod, 'a')],
    ['a pod that has yet to start', (its) => its.pod('a', 'Pending'), (its) => its.api.drop(TYPES.pod, 'a')],
    ['a pod whose node no longer answers', (its) => its.pod('a', 'Unknown'), (its) => its.api.drop(TYPES.pod, 'a')],
    [
      'a pod that is evicted, and has a container that still runs',
      (its) => its.pod('a', 'Failed', { containerStatuses: [{ name: 'main', image: 'x', state: { running: {} } }] }),
      (its) => its.api.edit(TYPES.pod, 'a', { status: { phase: 'Failed', containerStatuses: [] } }),
    ],
    [
      'a Deployment, which may make pods at any moment',
      (its) => its.put(DEPLOYMENT, 'w', { spec: { replicas: 0, template } }),
      (its) => its.api.drop(DEPLOYMENT, 'w'),
    ],
    [
      'a Job that is not complete',
      (its) => its.put(JOB, 'w', { spec: { template } }),
      (its) => its.api.edit(JOB, 'w', { status: { conditions: [{ type: 'Complete', status: 'True' }] } }),
    ],
  ])('stays for %s, without asking the server, and goes with its end', async (_, begin, end) => {
    const its = bench();
    begin(its);
    its.leaving();
    await its.seconds(600);
    expect(its.policy).toBeDefined();
    expect(its.asked).toEqual([]);
    end(its);
    await its.seconds(1);
    expect(its.policy).toBeUndefined();
  });

  it.each<readonly [string, (its: Bench) => void]>([
    ['pods that have ended, and are left with their Job', (its) => its.pod('a', 'Succeeded')],
    [
      'a Job that has failed',
      (its) => its.put(JOB, 'w', { spec: { template }, status: { conditions: [{ type: 'Failed', status: 'True' }] } }),
    ],
    ['pods of another resource', (its) => its.put(TYPES.pod, 'b', other)],
    [
      'a Deployment of pods that it does not select',
      (its) => its.put(DEPLOYMENT, 'x', { spec: { template: { metadata: { labels: { app: 'x' } } } } }),
    ],
  ])('does not stay for %s', async (_, begin) => {
    const its = bench();
    begin(its);
    its.leaving();
    await its.seconds(1);
    expect(its.policy).toBeUndefined();
  });

  it('stays for a pod that only the server knows, and asks less and less often for its end', async () => {
    const its = bench();
    its.isDeaf = true;
    its.pod('a');
    its.leaving();
    await its.seconds(600);
    expect(its.policy).toBeDefined();
    expect(its.asked.length).toBeGreaterThan(5);
    expect(its.asked.length).toBeLessThan(15);
    its.api.drop(TYPES.pod, 'a');
    await its.seconds(300);
    expect(its.policy).toBeUndefined();
  });

  it('stays while a pass over its resource is under way, which may be about to make pods', async () => {
    const its = bench();
    its.isBusy = true;
    its.leaving();
    await its.seconds(10);
    expect(its.policy).toBeDefined();
    its.isBusy = false;
    await its.seconds(1);
    expect(its.policy).toBeUndefined();
  });

  it('is found by an operator that takes over', async () => {
    const its = new Bench();
    its.leaving();
    await its.seconds(10);
    expect(its.policy).toBeDefined();
    its.start();
    await its.seconds(1);
    expect(its.policy).toBeUndefined();
  });

  it('keeps the finalizers of others, and is left alone from then on', async () => {
    const its = bench();
    its.leaving({ finalizers: ['example.com/theirs', TRUNNION.podProtection] });
    await its.seconds(60);
    expect(its.policy?.metadata.finalizers).toEqual(['example.com/theirs']);
    expect(its.api.calls).toEqual(['patch networkpolicies/w']);
    expect(its.woken).toEqual([]);
  });

  it('that nothing of ours keeps is none of ours', async () => {
    const its = bench();
    its.leaving({ finalizers: ['example.com/theirs'] });
    await its.seconds(60);
    expect(its.api.calls).toEqual([]);
  });

  it.each([
    ['the server refuses', () => new ApiError(403, { message: 'forbidden' })],
    ['the server is not well', () => new ApiError(500, { message: 'etcd' })],
    ['it has changed meanwhile', () => new ApiError(409, { message: 'modified' })],
    ['it is said to be gone', () => new ApiError(404, { message: 'not found' })],
  ])('is tried again where %s, with a backoff', async (_, error) => {
    const its = bench();
    let tries = 0;
    its.api.fault = () => {
      tries += 1;
      return tries > 4 ? undefined : { error: error(), when: 'before its effect' };
    };
    its.leaving();
    await its.seconds(5);
    expect(its.policy).toBeDefined();
    expect(tries).toBeLessThan(5);
    await its.seconds(60);
    expect(its.policy).toBeUndefined();
  });

  it('stays for the pods that it selects as somebody has changed it', async () => {
    const its = bench();
    its.put(TYPES.pod, 'b', { ...other, status: { phase: 'Running' } });
    its.leaving({}, { app: 'other' });
    await its.seconds(60);
    expect(its.policy).toBeDefined();
  });

  it('stays where the operator ends, for the next one', async () => {
    const its = bench();
    its.leaving();
    await its.stop();
    await its.seconds(60);
    expect(its.policy).toBeDefined();
    expect(its.clock.pending).toBe(0);
  });
});

describe('a CiliumNetworkPolicy that is being deleted', () => {
  const live = (its: Bench): KubeObject | undefined => its.api.object(TYPES.ciliumNetworkPolicy, 'w');

  it('stays for a pod that runs, so that it keeps its hosts, and goes with its end', async () => {
    const its = bench();
    its.pod('a');
    its.leavingHosts();
    await its.seconds(600);
    expect(live(its)).toBeDefined();
    its.api.drop(TYPES.pod, 'a');
    await its.seconds(1);
    expect(live(its)).toBeUndefined();
  });

  it('goes whatever it covers where its CRD is being deleted, which would wait for it', async () => {
    const its = bench();
    its.isCiliumLeaving = true;
    its.pod('a');
    its.leaving();
    its.leavingHosts();
    await its.seconds(1);
    expect(live(its)).toBeUndefined();
    expect(its.policy).toBeDefined();
  });

  it('goes once it is found out that its CRD is being deleted', async () => {
    const its = bench();
    its.put(DEPLOYMENT, 'w', { spec: { replicas: 1, template } });
    its.leavingHosts();
    await its.seconds(60);
    expect(live(its)).toBeDefined();
    its.isCiliumLeaving = true;
    its.observeAll();
    await its.seconds(1);
    expect(live(its)).toBeUndefined();
  });
});
