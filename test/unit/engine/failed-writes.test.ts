import { describe, expect, it } from 'vitest';
import { ApiError, TransportError } from '../../../operator/kube/client/errors.ts';
import { DEPLOYMENT, SERVICE, WIDGET } from '../../support/widget.ts';
import { cluster, converge, resourceOf, statusOf } from './reconcile-world.ts';

describe('what fails', () => {
  const refusal = (status: number, message: string) =>
    ({ error: new ApiError(status, { message }), when: 'before its effect' }) as const;

  it('names the CRD where that is older than the operator, so that no status can be written', async () => {
    const { api, clock, process } = cluster();
    const words = '.status.workload: field not declared in schema';
    api.fault = (call) => (call === 'apply widgets/w/status' ? refusal(500, words) : undefined);
    await process.pass();
    await clock.advance(500);
    await expect(process.pass()).rejects.toThrow('The CRD widgets.test.trunnion.dev is older than this operator');
    expect(process.events).toMatchObject([{ type: 'Warning', reason: 'OutdatedCRD' }]);
    expect(api.object(DEPLOYMENT, 'w')).toBeDefined();
  });

  it('lets one go that is deleted, though its CRD is too old for what would be recorded before', async () => {
    const { api, clock, process } = cluster();
    const words = '.status.drain: field not declared in schema';
    api.fault = (call) => (call === 'apply widgets/w/status' ? refusal(500, words) : undefined);
    await process.pass();
    await clock.advance(500);
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

  it('to be deleted, since it is not there, is looked at again: a server that is not well says so of anything', async () => {
    const { api, process } = cluster();
    await converge(api, process);
    api.edit(WIDGET, 'w', { spec: { service: false } });
    api.fault = (call) => (call === 'delete services/w' ? refusal(404, 'not found') : undefined);
    expect(await process.pass()).toMatchObject({ retry: true });
    expect(api.object(SERVICE, 'w')).toBeDefined();
    api.fault = () => undefined;
    await process.settle();
    expect(api.object(SERVICE, 'w')).toBeUndefined();
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
    const { api, clock, process } = cluster();
    const owner = { apiVersion: 'test.trunnion.dev/v1', kind: 'Widget', name: 'w', uid: 'earlier', controller: true };
    const metadata = { name: 'w', namespace: 'ns', ownerReferences: [owner] };
    api.put(SERVICE, { apiVersion: 'v1', kind: 'Service', metadata });
    expect(await process.pass()).toMatchObject({ retry: true });
    await clock.advance(500);
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
