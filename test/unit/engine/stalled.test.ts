import { isSetAside, setAside as setAsideStall } from '../../support/as-trunnion.ts';
import { describe, expect, it } from 'vitest';
import type { Result, Snapshot } from '../../../operator/engine/api/kind.ts';
import { ApiError } from '../../../operator/kube/client/errors.ts';
import { CONFIG_MAP, DEPLOYMENT, WIDGET, widget } from '../../support/widget.ts';
import type { Widget, WidgetStatus } from '../../support/widget.ts';
import { stalledStatus } from '../../../operator/engine/reconcile/stalled.ts';
import { cluster, converge, Process, resourceOf, statusOf } from './reconcile-world.ts';

type Reconcile = (
  snapshot: Snapshot<Widget>,
  now: number,
  usual: (snapshot: Snapshot<Widget>, now: number) => ReturnType<typeof widget.reconcile>,
) => Result<{ readonly draining: boolean }, WidgetStatus>;

/** An operator whose kind has a fault. */
const faulty = ({ api, clock }: ReturnType<typeof cluster>, reconcile: Reconcile) =>
  new Process(
    api,
    clock,
    { ...widget, reconcile: (snapshot, now) => reconcile(snapshot, now, (...all) => widget.reconcile(...all)) },
    () => spun * 1_000,
  );

/** How often something began to spin: each time it uses a second of the processor. */
let spun = 0;

const onPoison =
  (fault: () => never): Reconcile =>
  (snapshot, now, usual) =>
    snapshot.resource.spec.message === 'poison' ? fault() : usual(snapshot, now);

const throwing = onPoison(() => {
  throw new TypeError("Cannot read properties of undefined (reading 'length')");
});

const spinning = onPoison(() => {
  spun += 1;
  for (;;);
});

const conditionsOf = (status: WidgetStatus | undefined) =>
  Object.fromEntries((status?.conditions ?? []).map(({ type, ...rest }) => [type, rest]));

describe('an exception of a kind', () => {
  it('reaches the status of its resource, with what to do, and an event, and is tried again', async () => {
    const world = cluster({ message: 'poison' });
    const process = faulty(world, throwing);
    await expect(process.pass()).rejects.toThrow('Cannot read properties');
    expect(conditionsOf(statusOf(world.api))).toMatchObject({
      Stalled: {
        status: 'True',
        reason: 'ReconcileError',
        message: expect.stringMatching(
          /TypeError: Cannot read properties of undefined.*Undo the last change of the spec/,
        ),
      },
      Ready: { status: 'Unknown', reason: 'ReconcileError' },
    });
    expect(statusOf(world.api)?.observedGeneration).toBe(1);
    expect(process.events).toMatchObject([{ type: 'Warning', reason: 'ReconcileError' }]);
  });

  it('is reported once, however often it comes again', async () => {
    const world = cluster({ message: 'poison' });
    const process = faulty(world, throwing);
    for (let tries = 0; tries < 5; tries++) await expect(process.pass()).rejects.toThrow('Cannot read');
    expect(world.api.calls).toEqual(['apply widgets/w/status']);
    expect(process.events).toHaveLength(1);
  });

  it('leaves what runs as it is, and what the status remembers', async () => {
    const world = cluster();
    await converge(world.api, faulty(world, throwing));
    const before = [world.api.object(CONFIG_MAP, 'w'), world.api.object(DEPLOYMENT, 'w')];
    world.api.edit(WIDGET, 'w', { spec: { message: 'poison' } });
    await expect(faulty(world, throwing).pass()).rejects.toThrow('Cannot read');
    expect([world.api.object(CONFIG_MAP, 'w'), world.api.object(DEPLOYMENT, 'w')]).toEqual(before);
    expect(statusOf(world.api)).toMatchObject({ phase: 'Running', observedGeneration: 2 });
    expect(conditionsOf(statusOf(world.api))['Ready']).toMatchObject({ status: 'Unknown' });
  });

  it('is over with the spec that caused it', async () => {
    const world = cluster({ message: 'poison' });
    const process = faulty(world, throwing);
    await expect(process.pass()).rejects.toThrow('Cannot read');
    world.api.edit(WIDGET, 'w', { spec: { message: 'hello' } });
    await converge(world.api, process);
    expect(conditionsOf(statusOf(world.api))).toMatchObject({ Ready: { status: 'True' } });
    expect(Object.keys(conditionsOf(statusOf(world.api)))).not.toContain('Stalled');
  });

  it.each(['render', 'refuse'] as const)('is reported as well where it is thrown by %s', async (step) => {
    const { api, clock } = cluster({ broken: step === 'refuse' });
    const fault = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    const process = new Process(api, clock, { ...widget, [step]: fault });
    await expect(process.pass()).rejects.toThrow('Maximum call stack');
    expect(conditionsOf(statusOf(api))['Stalled']).toMatchObject({ message: expect.stringContaining(`"${step}"`) });
  });

  it.each([
    ['a decision that is none', undefined],
    ['a status that is none', { state: { draining: false }, queries: [] }],
    ['asks that are none', { state: { draining: false }, queries: 5, status: {} }],
    ['objects to replace that are none', { state: { draining: false }, queries: [], replace: 5, status: {} }],
    ['a condition that is none', { state: { draining: false }, queries: [], status: { conditions: [undefined] } }],
  ])('is reported as well where it comes up later, by %s', async (_, result) => {
    const world = cluster();
    const process = faulty(world, () => result as never);
    for (let passes = 0; passes < 10 && conditionsOf(statusOf(world.api))['Stalled'] === undefined; passes++) {
      await process.pass().catch(() => undefined);
      await world.clock.advance(1_000);
    }
    expect(conditionsOf(statusOf(world.api))['Stalled']).toMatchObject({
      reason: 'ReconcileError',
      message: expect.stringContaining('"reconcile": TypeError'),
    });
  });

  it('is reported where a function promises an answer, and a promise that is broken ends nothing', async () => {
    const world = cluster();
    const process = faulty(world, () => Promise.reject(new Error('later')) as never);
    await expect(process.pass()).rejects.toThrow('it is asynchronous');
    expect(conditionsOf(statusOf(world.api))['Stalled']).toMatchObject({ reason: 'ReconcileError' });
  });

  it('keeps one that is deleted for three tries, and then lets it go', async () => {
    const world = cluster();
    await converge(world.api, world.process);
    const process = faulty(world, () => {
      throw new Error('at the end, too');
    });
    const metadata = { ...resourceOf(world.api).metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    world.api.edit(WIDGET, 'w', { metadata });
    for (let tries = 0; tries < 3; tries++) await expect(process.pass()).rejects.toThrow('at the end');
    expect(resourceOf(world.api)).toBeDefined();
    await process.pass();
    expect(world.api.object(WIDGET, 'w')).toBeUndefined();
  });
});

describe('a resource that holds the main loop', () => {
  it('is broken off, reported, and set aside after three times in a row', async () => {
    const world = cluster({ message: 'poison' });
    const process = faulty(world, spinning);
    for (let tries = 0; tries < 3; tries++) {
      await expect(process.pass()).rejects.toThrow('took more than');
      expect(conditionsOf(statusOf(world.api))['Stalled']?.reason).toBe(tries < 2 ? 'ReconcileError' : 'SetAside');
      await world.clock.advance(60_000);
    }
    expect(await process.pass()).toEqual({});
  });

  it('stays set aside when another operator takes over, which does not look at it', async () => {
    const { world } = await setAside();
    let observed = 0;
    const next = faulty(world, (snapshot, now, usual) => ((observed += 1), usual(snapshot, now)));
    expect(await next.pass()).toEqual({});
    expect(observed).toBe(0);
  });

  it.each([
    ['its spec is another', { spec: { message: 'hello' } }],
    ['it is asked to be tried again', { metadata: { annotations: { 'trunnion.dev/requested-at': '1767225600' } } }],
  ])('is looked at again once %s', async (_, change) => {
    const { world, process } = await setAside();
    const { metadata } = resourceOf(world.api);
    const merged = 'metadata' in change ? { metadata: { ...metadata, ...change.metadata } } : change;
    world.api.edit(WIDGET, 'w', merged);
    const outcome = process.pass();
    if ('spec' in change) await expect(outcome).resolves.toBeDefined();
    else await expect(outcome).rejects.toThrow('took more than');
  });

  it.each(['\u202e', '\u009b2J', 'line\nline', '"quoted"', 'x'.repeat(63) + '🧀', '\ud83e'])(
    'stays set aside whatever its annotation says: %j',
    (requested) => {
      const { metadata } = resourceOf(cluster().api);
      const annotated = { ...metadata, annotations: { 'trunnion.dev/requested-at': requested } };
      const resource = { ...resourceOf(cluster().api), metadata: annotated };
      const status = stalledStatus(resource, setAsideStall(resource), 0);
      expect(isSetAside({ metadata: annotated, status })).toBe(true);
    },
  );

  it('keeps its namespace waiting, which forgets no failures meanwhile', async () => {
    const world = cluster({ message: 'poison' });
    const process = faulty(world, spinning);
    await expect(process.pass()).rejects.toThrow('took more than');
    const now = world.clock.now();
    expect(await process.pass()).toEqual({ requeueAt: expect.any(Number), postponed: true });
    expect(((await process.pass()).requeueAt ?? 0) - now).toBeGreaterThan(500);
  });

  async function setAside() {
    const world = cluster({ message: 'poison' });
    const process = faulty(world, spinning);
    for (let tries = 0; tries < 3; tries++) {
      await expect(process.pass()).rejects.toThrow('took more than');
      await world.clock.advance(60_000);
    }
    return { world, process };
  }
});

describe('a status that the API server refuses', () => {
  const refuse = (world: ReturnType<typeof cluster>, status: number, message: string): void => {
    let first = true;
    world.api.fault = (call) => {
      if (call !== 'apply widgets/w/status' || !first) return undefined;
      first = false;
      return { error: new ApiError(status, { message }), when: 'before its effect' };
    };
  };

  it.each([
    [413, 'Request entity too large: limit is 3145728', 'StatusTooLarge', 'Make the spec smaller'],
    [500, 'etcdserver: request is too large', 'StatusTooLarge', 'Make the spec smaller'],
    [422, 'status.conditions[0].message: Too long: may not be more than 32768 bytes', 'StatusTooLarge', 'Too long'],
    [
      403,
      'admission webhook "guard" denied the request: no status on Fridays',
      'StatusRefused',
      'no status on Fridays',
    ],
    [422, 'status.phase: Unsupported value: "Bogus"', 'StatusRefused', 'Unsupported value'],
  ])('is reported in a small one: %i %s', async (code, message, reason, words) => {
    const world = cluster();
    await world.process.pass();
    await world.clock.advance(500);
    refuse(world, code, message);
    await expect(world.process.pass()).rejects.toThrow('the status was refused');
    expect(conditionsOf(statusOf(world.api))['Stalled']).toMatchObject({
      reason,
      message: expect.stringContaining(words),
    });
    expect(world.process.events).toMatchObject([{ reason }]);
  });

  it('is at least told by an event, where even the small one is refused', async () => {
    const world = cluster();
    await world.process.pass();
    await world.clock.advance(500);
    const error = new ApiError(500, { message: 'etcdserver: request is too large' });
    world.api.fault = (call) => (call === 'apply widgets/w/status' ? { error, when: 'before its effect' } : undefined);
    await expect(world.process.pass()).rejects.toThrow('the status was refused');
    expect(world.process.events).toMatchObject([{ type: 'Warning', reason: 'StatusTooLarge' }]);
  });

  it('does not keep one that is deleted', async () => {
    const world = cluster();
    await converge(world.api, world.process);
    const error = new ApiError(413, { message: 'Request entity too large' });
    world.api.fault = (call) => (call === 'apply widgets/w/status' ? { error, when: 'before its effect' } : undefined);
    const metadata = { ...resourceOf(world.api).metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    world.api.edit(WIDGET, 'w', { metadata });
    await world.process.settle();
    expect(world.api.object(WIDGET, 'w')).toBeUndefined();
  });
});
