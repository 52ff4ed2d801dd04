import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../operator/kube/client/errors.ts';
import { CONFIG_MAP, SERVICE, WIDGET, widget } from '../../support/widget.ts';
import { cluster, converge, Process, resourceOf, statusOf } from './reconcile-world.ts';

const REFUSED = { error: new ApiError(409, { message: 'so says a webhook' }), when: 'before its effect' } as const;

/** A widget that runs, and whose Service is no longer wanted; the pass that would delete it comes next. */
async function withServiceToDelete() {
  const { api, clock, process } = cluster();
  await converge(api, process);
  api.edit(WIDGET, 'w', { spec: { service: false } });
  // It writes the status before it deletes.
  api.fault = (call) => (call === 'delete services/w' ? REFUSED : undefined);
  await process.pass();
  api.fault = () => undefined;
  return { api, clock, process };
}

describe('where a watch is behind', () => {
  it('what is there already is taken in, nothing is written, and all is decided again', async () => {
    const { api, clock, process } = cluster();
    await converge(api, process);
    const next = new Process(api, clock);
    const there = api.object(CONFIG_MAP, 'w');
    if (there === undefined) throw new Error('no ConfigMap was made');
    next.log(there, true);
    api.calls.length = 0;
    expect(await next.pass()).toEqual({ retry: false, requeueAt: clock.now() });
    expect(await next.pass()).toEqual({ retry: false, requeueAt: Infinity });
    expect(api.calls).toEqual(['apply configmaps/w']);
    expect(api.object(CONFIG_MAP, 'w')).toEqual(there);
  });

  it('what it has told to be gone, and the server still has, is waited for', async () => {
    const { api, clock, process } = cluster();
    await converge(api, process);
    const next = new Process(api, clock);
    const { metadata, ...rest } = api.object(CONFIG_MAP, 'w')!;
    next.log({ ...rest, metadata: { ...metadata, resourceVersion: '9999' } }, true);
    expect(await next.pass()).toEqual({ retry: true, requeueAt: clock.now() + 5_000 });
  });

  it('what is to be deleted, and is in another version than it told, is looked at, and deleted at once', async () => {
    const { api, clock, process } = await withServiceToDelete();
    process.deaf = true;
    api.edit(SERVICE, 'w', { metadata: { annotations: { note: 'unheard' } } });
    expect(await process.pass()).toEqual({ retry: true, requeueAt: clock.now() });
    expect(api.object(SERVICE, 'w')).toBeDefined();
    await process.pass();
    expect(api.object(SERVICE, 'w')).toBeUndefined();
  });

  it('what is to be deleted, and has a namesake instead that is not ours, is left to that', async () => {
    const { api, process } = await withServiceToDelete();
    process.deaf = true;
    api.drop(SERVICE, 'w');
    const theirs = api.put(SERVICE, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'w', namespace: 'ns' } });
    for (let passes = 0; passes < 3; passes++) await process.pass();
    expect(api.object(SERVICE, 'w')).toEqual(theirs);
  });

  it('what is refused as out of date, and is as it told, is tried again with a backoff, within five seconds', async () => {
    const { api, clock, process } = await withServiceToDelete();
    api.fault = (call) => (call === 'delete services/w' ? REFUSED : undefined);
    expect(await process.pass()).toEqual({ retry: true, requeueAt: clock.now() + 5_000 });
  });

  it('a reconcile that waits for answers has nothing done and nothing said, and is asked again when it wants', async () => {
    const { api, clock } = cluster();
    let isWaiting = true;
    const doubtful: typeof widget = {
      ...widget,
      reconcile: (snapshot, now) => {
        const result = widget.reconcile(snapshot, now);
        return isWaiting ? { ...result, waitForAnswers: true, requeueAt: now + 1_000 } : result;
      },
    };
    const process = new Process(api, clock, doubtful);
    expect(await process.pass()).toEqual({ requeueAt: clock.now() + 1_000 });
    expect(api.calls).toEqual([]);
    expect(statusOf(api)).toBeUndefined();
    isWaiting = false;
    await converge(api, process);
    expect(resourceOf(api).status?.phase).toBe('Running');
  });
});
