import { describe, expect, it } from 'vitest';
import { Controller } from '../../../operator/engine/controller.ts';
import type { Resource } from '../../../operator/engine/kind.ts';
import { createLogger } from '../../../operator/engine/log.ts';
import { Metrics } from '../../../operator/engine/metrics.ts';
import type { WakeReason } from '../../../operator/engine/watches.ts';
import { widget } from '../../support/widget.ts';
import { FakeClock, settle } from './fake-clock.ts';

const ref = (name: string) => ({ kind: 'Widget', namespace: 'ns', name });
const why = (what: WakeReason['what'], initial = false): WakeReason => ({ what, initial });

/** A controller whose passes only say that they were made. */
function harness(pass: (key: string) => Resource | undefined = () => undefined) {
  const clock = new FakeClock();
  const passes: string[] = [];
  const metrics = new Metrics();
  const controller = new Controller({
    kind: widget,
    client: {
      apply: () => Promise.reject(new Error('unused')),
      patch: () => Promise.reject(new Error('unused')),
      delete: () => Promise.reject(new Error('unused')),
      find: () => Promise.reject(new Error('unused')),
    },
    view: {
      resource: (key) => {
        passes.push(key);
        return pass(key);
      },
      wroteResource: () => {},
      around: () => ({ children: [], pods: [], related: {} }),
      wrote: () => {},
      wroteDelete: () => {},
    },
    answer: () => Promise.reject(new Error('unused')),
    record: () => {},
    clock,
    metrics,
    log: createLogger('silent'),
    workers: 1,
    backoff: { random: () => 1 },
  });
  return { clock, controller, passes, metrics };
}

describe('a controller', () => {
  it('does nothing before it is started', async () => {
    const { controller, passes } = harness();
    controller.wake(ref('a'), why('resource', true));
    await settle();
    expect(passes).toEqual([]);
    controller.start();
    await settle();
    expect(passes).toEqual(['ns/a']);
  });

  it('looks at a change of a user before what was there when it started', async () => {
    const { controller, passes } = harness();
    for (const name of ['a', 'b', 'c']) controller.wake(ref(name), why('resource', true));
    controller.wake(ref('changed'), why('resource'));
    controller.start();
    await settle();
    expect(passes[0]).toBe('ns/changed');
  });

  it('waits for the rest of a burst of changes of children and pods, and not for more of a user', async () => {
    const { clock, controller, passes } = harness();
    controller.start();
    controller.wake(ref('a'), why('child'));
    await clock.advance(50);
    controller.wake(ref('a'), why('pod'));
    await clock.advance(49);
    expect(passes).toEqual([]);
    await clock.advance(1);
    expect(passes).toEqual(['ns/a']);
    controller.wake(ref('a'), why('child'));
    controller.wake(ref('a'), why('resource'));
    await settle();
    expect(passes).toEqual(['ns/a', 'ns/a']);
  });

  it('counts a pass that throws, contains it, and tries again', async () => {
    const { clock, controller, passes, metrics } = harness(() => {
      throw new Error('broken');
    });
    controller.start();
    controller.wake(ref('a'), why('resource'));
    await clock.advance(1_000);
    expect(passes).toEqual(['ns/a', 'ns/a']);
    const text = await metrics.text({}, []);
    expect(text).toContain('controller_runtime_reconcile_total{controller="Widget",result="error"} 2');
  });

  it('stops at once where nothing is under way, and makes no pass any more', async () => {
    const { clock, controller, passes } = harness();
    controller.start();
    await controller.stop(1_000);
    controller.wake(ref('a'), why('resource'));
    await clock.advance(60_000);
    expect([passes, clock.pending]).toEqual([[], 0]);
  });
});
