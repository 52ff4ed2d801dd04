import { TRUNNION } from '../../../operator/trunnion.ts';
import { observeChild } from '../../support/as-trunnion.ts';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { Controller } from '../../../operator/engine/reconcile/controller.ts';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { createLogger } from '../../../operator/engine/telemetry/log.ts';
import type { Logger } from '../../../operator/engine/telemetry/log.ts';
import { Metrics } from '../../../operator/engine/telemetry/metrics.ts';
import { OutdatedCrdError } from '../../../operator/engine/reconcile/outdated.ts';
import { Watchdog } from '../../../operator/engine/telemetry/watchdog.ts';
import type { EnqueueReason } from '../../../operator/engine/cache/cache-options.ts';
import { ApiError, TransportError } from '../../../operator/kube/client/errors.ts';
import { widget } from '../../support/widget.ts';
import { FakeClock, settle } from './fake-clock.ts';

const ref = (name: string) => ({ kind: 'Widget', namespace: 'ns', name });
const why = (what: EnqueueReason['what'], initial = false): EnqueueReason => ({ what, initial });

const made = (name: string, metadata: object = {}, status: object = {}): Resource => ({
  apiVersion: 'test.trunnion.dev/v1',
  kind: 'Widget',
  metadata: {
    name,
    namespace: 'ns',
    uid: name,
    resourceVersion: '1',
    creationTimestamp: '',
    generation: 1,
    ...metadata,
  },
  spec: {},
  status: { observedGeneration: 1, ...status },
});

/** A controller whose passes only say that they were made. */
function harness(
  pass: (key: string) => Resource | undefined = () => undefined,
  resources: () => readonly Resource[] = () => [],
  log: Logger = createLogger('silent'),
) {
  const clock = new FakeClock();
  const passes: string[] = [];
  const metrics = new Metrics('trunnion');
  const controller = new Controller({
    kind: widget,
    identity: TRUNNION,
    client: {
      apply: () => Promise.reject(new Error('unused')),
      create: () => Promise.reject(new Error('unused')),
      patch: () => Promise.reject(new Error('unused')),
      delete: () => Promise.reject(new Error('unused')),
      find: () => Promise.reject(new Error('unused')),
    },
    reader: {
      resource: (key) => {
        passes.push(key);
        return pass(key);
      },
      wroteResource: () => {},
      conflictOf: () => undefined,
      around: () => ({ children: [], pods: [], related: {} }),
      wrote: observeChild,
      found: () => undefined,
      wroteDelete: () => {},
    },
    resources,
    answer: () => Promise.reject(new Error('unused')),
    record: () => {},
    clock,
    metrics,
    watchdog: new Watchdog({ now: () => clock.now() }),
    log,
    workers: 1,
    backoff: { random: () => 1 },
  });
  return { clock, controller, passes, metrics };
}

describe('a controller', () => {
  it('does nothing before it is started, and then looks at every resource that there is', async () => {
    const { controller, passes } = harness(undefined, () => [made('a')]);
    controller.enqueue(ref('a'), why('resource', true));
    await settle();
    expect(passes).toEqual([]);
    controller.start();
    await settle();
    expect(passes).toEqual(['ns/a']);
  });

  it('lets other work continue between passes that wait for nothing', async () => {
    const work = () => {
      const end = performance.now() + 5;
      while (performance.now() < end);
      return undefined;
    };
    const { controller, passes } = harness(work, () => Array.from({ length: 40 }, (_, index) => made(`w${index}`)));
    controller.start();
    const turns: number[] = [];
    while (passes.length < 40) {
      await new Promise((resolve) => setImmediate(resolve));
      turns.push(passes.length);
    }
    expect(turns.length).toBeGreaterThan(10);
  });

  it('remembers nothing of resources that have come and gone while it stood by', async () => {
    const { controller, passes } = harness(undefined, () => [made('here')]);
    for (const name of ['here', 'gone']) controller.enqueue(ref(name), why('resource'));
    controller.start();
    await settle();
    expect(passes).toEqual(['ns/here']);
  });

  it('looks first at what a user changes now, then at what was changed meanwhile, and last at what was only there', async () => {
    const unseen = [
      made('edited', { generation: 2 }),
      made('deleted', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      made('new', {}, { observedGeneration: undefined }),
    ];
    const { controller, passes } = harness(undefined, () => [made('a'), made('b'), ...unseen, made('c')]);
    controller.start();
    controller.enqueue(ref('c'), why('resource'));
    await settle();
    expect(passes).toEqual(['ns/edited', 'ns/c', 'ns/deleted', 'ns/new', 'ns/a', 'ns/b']);
  });

  it('waits for the rest of a burst of changes of children and pods, and not for more of a user', async () => {
    const { clock, controller, passes } = harness();
    controller.start();
    controller.enqueue(ref('a'), why('child'));
    await clock.advance(50);
    controller.enqueue(ref('a'), why('pod'));
    await clock.advance(49);
    expect(passes).toEqual([]);
    await clock.advance(1);
    expect(passes).toEqual(['ns/a']);
    controller.enqueue(ref('a'), why('child'));
    controller.enqueue(ref('a'), why('resource'));
    await settle();
    expect(passes).toEqual(['ns/a', 'ns/a']);
  });

  it('looks at once where a child has become ready', async () => {
    const { controller, passes } = harness();
    controller.start();
    controller.enqueue(ref('a'), why('pod'));
    controller.enqueue(ref('a'), why('ready'));
    await settle();
    expect(passes).toEqual(['ns/a']);
  });

  it('counts a pass that throws, contains it, and tries again', async () => {
    const { clock, controller, passes, metrics } = harness(() => {
      throw new Error('broken');
    });
    controller.start();
    controller.enqueue(ref('a'), why('resource'));
    await clock.advance(1_000);
    expect(passes).toEqual(['ns/a', 'ns/a']);
    const text = await metrics.text({}, []);
    expect(text).toContain('controller_runtime_reconcile_total{controller="Widget",result="error"} 2');
  });

  it('tells in its log which resource has failed', async () => {
    const lines: unknown[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const broken = () => {
      throw new Error('broken');
    };
    const { controller } = harness(broken, () => [], log);
    controller.start();
    controller.enqueue(ref('a'), why('resource'));
    await settle();
    expect(lines).toMatchObject([{ ...ref('a'), msg: 'reconcile failed, will retry', err: { message: 'broken' } }]);
  });

  it('tries again within seconds, however often it failed, where the server could not be reached', async () => {
    const { clock, controller, passes } = harness(() => {
      throw new TransportError('connect ECONNREFUSED', 'ECONNREFUSED', false);
    });
    controller.start();
    controller.enqueue(ref('a'), why('resource'));
    await clock.advance(600_000);
    const before = passes.length;
    await clock.advance(5_000);
    expect(passes.length).toBe(before + 1);
  });

  it('tries again within half a minute, however often it failed, where a CRD is older than the operator', async () => {
    const { clock, controller, passes } = harness(() => {
      throw new OutdatedCrdError(widget.type, new ApiError(500, { message: 'field not declared in schema' }), TRUNNION);
    });
    controller.start();
    controller.enqueue(ref('a'), why('resource'));
    await clock.advance(600_000);
    const before = passes.length;
    await clock.advance(30_000);
    expect(passes.length).toBe(before + 1);
  });

  it('stops at once where nothing is under way, and makes no pass any more', async () => {
    const { clock, controller, passes } = harness();
    controller.start();
    await controller.stop(1_000);
    controller.enqueue(ref('a'), why('resource'));
    await clock.advance(60_000);
    expect([passes, clock.pending]).toEqual([[], 0]);
  });
});
