import { describe, expect, it } from 'vitest';
import { CONFIG_MAP, DEPLOYMENT, JOB, SERVICE, WIDGET, WIDGET_FINALIZER } from '../../support/widget.ts';
import { Process, cluster, converge, resourceOf, ripen, statusOf } from './reconcile-world.ts';

const CREATION = ['patch widgets/w', 'apply configmaps/w', 'apply deployments/w', 'apply services/w'];

describe('a pass', () => {
  it('puts the finalizer on, makes the children in order, and writes the status half a second later', async () => {
    const { api, clock, process } = cluster();
    await process.pass();
    expect(api.calls).toEqual(CREATION);
    expect(resourceOf(api).metadata.finalizers).toEqual([WIDGET_FINALIZER]);
    expect(await process.pass()).toEqual({ retry: false, requeueAt: clock.now() + 500 });
    await clock.advance(500);
    await process.pass();
    expect(api.calls).toEqual([...CREATION, 'apply widgets/w/status']);
    expect(statusOf(api)).toMatchObject({ phase: 'Deploying', observedGeneration: 1 });
  });

  it('writes one status, at once, and tells of it, where a new resource is ready within that time', async () => {
    const { api, process } = cluster();
    await process.pass();
    ripen(api);
    await process.pass();
    expect(api.calls).toEqual([...CREATION, 'apply widgets/w/status']);
    expect(statusOf(api)).toMatchObject({ phase: 'Running' });
    expect(process.events).toMatchObject([{ type: 'Normal', reason: 'Running' }]);
  });

  it('writes the status of an older resource at once, also where the operator has just started', async () => {
    const { api, clock, process } = cluster();
    await converge(api, process);
    api.edit(DEPLOYMENT, 'w', { status: { availableReplicas: 0 } });
    api.calls.length = 0;
    await new Process(api, clock).pass();
    expect(api.calls).toEqual(['apply widgets/w/status']);
  });

  it('writes nothing where all is as it should be, nor after a restart', async () => {
    const { api, clock, process } = cluster({ job: true, keep: true });
    await converge(api, process);
    expect(statusOf(api)?.phase).toBe('Running');
    api.calls.length = 0;
    expect(await process.pass()).toEqual({ retry: false, requeueAt: Infinity });
    await new Process(api, clock).settle();
    expect(api.calls).toEqual([]);
  });

  it('knows of its own writes before any watch tells of them', async () => {
    const { api, clock, process } = cluster();
    process.deaf = true;
    await process.pass();
    await clock.advance(1_000);
    await process.pass();
    await process.pass();
    expect(api.calls).toEqual([...CREATION, 'apply widgets/w/status']);
  });

  it('asks for another pass after each write, after what is made at first with its status, until it writes nothing', async () => {
    const { clock, process } = cluster();
    expect(await process.pass()).toEqual({ retry: false, requeueAt: clock.now() + 500 });
    await clock.advance(500);
    expect(await process.pass()).toEqual({ retry: false, requeueAt: clock.now() });
    expect(await process.pass()).toEqual({ retry: false, requeueAt: Infinity });
  });

  it('asks for the next one at once where something waits for what was made', async () => {
    const { clock, process } = cluster({ job: true });
    expect(await process.pass()).toEqual({ retry: false, requeueAt: clock.now() });
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
    expect(await process.pass()).toMatchObject({ requeueAt: clock.now() + 500 });
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
    const { api, clock, process } = cluster({ job: true });
    await process.settle();
    api.edit(JOB, 'w', { status: { conditions: [{ type: 'Failed', status: 'True' }] } });
    process.deaf = true;
    api.edit(WIDGET, 'w', { spec: { message: 'changed meanwhile' } });
    api.calls.length = 0;
    expect(await process.pass()).toEqual({ retry: true, requeueAt: clock.now() + 5_000 });
    expect(api.calls.filter((call) => call.startsWith('delete'))).toEqual([]);
    expect(statusOf(api)?.retries).toBeUndefined();
  });

  it('never writes a status onto a namesake that was created again', async () => {
    const { api, process } = cluster();
    await process.settle();
    process.deaf = true;
    ripen(api);
    const { spec, ...rest } = resourceOf(api);
    api.drop(WIDGET, 'w');
    api.put(WIDGET, { ...rest, metadata: { name: 'w', namespace: 'ns' }, spec: { ...spec }, status: {} });
    process.deaf = false;
    process.log(api.object(DEPLOYMENT, 'w')!, false);
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

  it('lets a spec that is invalid wait for its next generation, and touches no child', async () => {
    const { api, process } = cluster({ broken: true });
    await process.settle();
    expect(api.calls).toEqual(['apply widgets/w/status']);
    expect(await process.pass()).toEqual({ requeueAt: Infinity });
  });

  it('lets a resource go whose spec cannot work', async () => {
    const { api, process } = cluster();
    await converge(api, process);
    api.edit(WIDGET, 'w', { spec: { broken: true }, metadata: { deletionTimestamp: 'now' } });
    await process.settle();
    expect(api.object(WIDGET, 'w')).toBeUndefined();
  });

  it('deletes what must go before the resource, then lets it go, and makes nothing again', async () => {
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
