import { describe, expect, it } from 'vitest';
import { CONFIG_MAP, SERVICE, WIDGET, widget } from '../../support/widget.ts';
import { cluster, converge, Process, resourceOf, statusOf } from './reconcile-world.ts';

describe('where a watch is behind', () => {
  it('what is there already is taken in, nothing is written, and all is decided anew', async () => {
    const { api, clock, process } = cluster();
    await converge(api, process);
    const next = new Process(api, clock);
    const there = api.object(CONFIG_MAP, 'w');
    if (there === undefined) throw new Error('no ConfigMap was made');
    next.tell(there, true);
    api.calls.length = 0;
    expect(await next.pass()).toEqual({ retry: false, wakeAt: clock.now() });
    expect(await next.pass()).toEqual({ retry: false, wakeAt: Infinity });
    expect(api.calls).toEqual(['apply configmaps/w']);
    expect(api.object(CONFIG_MAP, 'w')).toEqual(there);
  });

  it('what it has told to be gone, and the server still has, is waited for', async () => {
    const { api, clock, process } = cluster();
    await converge(api, process);
    const next = new Process(api, clock);
    const { metadata, ...rest } = api.object(CONFIG_MAP, 'w')!;
    next.tell({ ...rest, metadata: { ...metadata, resourceVersion: '9999' } }, true);
    expect(await next.pass()).toEqual({ retry: true, wakeAt: clock.now() + 5_000 });
  });

  it('what is in another version than it told is tried again within five seconds', async () => {
    const { api, clock, process } = cluster();
    await converge(api, process);
    process.deaf = true;
    api.edit(SERVICE, 'w', { metadata: { annotations: { note: 'unheard' } } });
    process.deaf = false;
    api.edit(WIDGET, 'w', { spec: { service: false } });
    // The first of these writes the status before it deletes.
    await process.pass();
    expect(await process.pass()).toEqual({ retry: true, wakeAt: clock.now() + 5_000 });
    expect(api.object(SERVICE, 'w')).toBeDefined();
    process.tell(api.object(SERVICE, 'w')!, false);
    await process.settle();
    expect(api.object(SERVICE, 'w')).toBeUndefined();
  });

  it('a conduct that is undecided has nothing done and nothing said, and is asked again when it wants', async () => {
    const { api, clock } = cluster();
    let isUndecided = true;
    const doubtful: typeof widget = {
      ...widget,
      conduct: (snapshot, now) => {
        const decision = widget.conduct(snapshot, now);
        return isUndecided ? { ...decision, undecided: true, wakeAt: now + 1_000 } : decision;
      },
    };
    const process = new Process(api, clock, doubtful);
    expect(await process.pass()).toEqual({ wakeAt: clock.now() + 1_000 });
    expect(api.calls).toEqual([]);
    expect(statusOf(api)).toBeUndefined();
    isUndecided = false;
    await converge(api, process);
    expect(resourceOf(api).status?.phase).toBe('Running');
  });
});
