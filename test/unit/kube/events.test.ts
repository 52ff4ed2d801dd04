import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError, Discovery, EventRecorder, type KubeObject, type ObjectBody } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';

const OBJECT: KubeObject = {
  apiVersion: 'trunnion.dev/v1',
  kind: 'ModelServing',
  metadata: { name: 'llama', namespace: 'd', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
};
const NOTE = { type: 'Normal', reason: 'Started', action: 'Start', message: 'It has started.' } as const;

function makeRecorder(
  create: (body: ObjectBody) => Promise<void> = async () => undefined,
  isBusy: () => boolean = () => false,
) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const created: ObjectBody[] = [];
  const patched: unknown[] = [];
  const dropped: string[] = [];
  const recorder = new EventRecorder({
    client: {
      create: async (_type, body) => {
        await create(body);
        created.push(body);
        return OBJECT;
      },
      patch: async (_type, _ref, body) => {
        patched.push(body);
        return OBJECT;
      },
    },
    controller: 'trunnion.dev/operator',
    instance: 'pod',
    dropped: (reason) => dropped.push(reason),
    isBusy,
  });
  return { recorder, created, patched, dropped };
}

describe('events', () => {
  test('name what they are about, and who reports', async () => {
    const { recorder, created } = makeRecorder();
    recorder.record(OBJECT, { ...NOTE, message: 'x'.repeat(5_000) });
    await recorder.stop(1_000);
    expect(created).toMatchObject([
      {
        metadata: { namespace: 'd', name: expect.stringMatching(/^llama\.[0-9a-f]{16}$/) },
        regarding: { kind: 'ModelServing', name: 'llama', uid: 'u' },
        reportingController: 'trunnion.dev/operator',
        reportingInstance: 'pod',
        reason: 'Started',
        note: 'x'.repeat(1_024),
      },
    ]);
  });

  test('that are reported again are counted, and the count is written once a minute', async () => {
    const { recorder, created, patched } = makeRecorder();
    for (let time = 0; time < 100; time += 1) recorder.record(OBJECT, NOTE);
    await vi.advanceTimersByTimeAsync(59_000);
    expect([created.length, patched.length]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(patched).toMatchObject([{ series: { count: 100 } }]);
    recorder.record(OBJECT, { ...NOTE, message: 'Something else.' });
    await recorder.stop(1_000);
    expect(created).toHaveLength(2);
  });

  test('that are reported again before the end are counted before the end', async () => {
    const { recorder, patched } = makeRecorder();
    for (let time = 0; time < 3; time += 1) recorder.record(OBJECT, NOTE);
    await recorder.stop(1_000);
    expect(patched).toMatchObject([{ series: { count: 3 } }]);
  });

  test('make way for what is being done', async () => {
    let busy = true;
    const { recorder, created } = makeRecorder(undefined, () => busy);
    recorder.record(OBJECT, NOTE);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(created).toHaveLength(0);
    busy = false;
    await vi.advanceTimersByTimeAsync(100);
    expect(created).toHaveLength(1);
  });

  test('are told after ten seconds, however much is being done, each in its turn', async () => {
    const { recorder, created } = makeRecorder(undefined, () => true);
    recorder.record(OBJECT, NOTE);
    await vi.advanceTimersByTimeAsync(5_000);
    recorder.record(OBJECT, { ...NOTE, reason: 'Later' });
    await vi.advanceTimersByTimeAsync(5_100);
    expect(created).toMatchObject([{ reason: 'Started' }]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(created).toMatchObject([{ reason: 'Started' }, { reason: 'Later' }]);
  });

  test('go out at the end, however much is being done', async () => {
    const { recorder, created } = makeRecorder(undefined, () => true);
    recorder.record(OBJECT, NOTE);
    const stopped = recorder.stop(1_000);
    await vi.advanceTimersByTimeAsync(200);
    await stopped;
    expect(created).toHaveLength(1);
  });

  test('are new ones when they were not told for six minutes', async () => {
    const { recorder, created } = makeRecorder();
    recorder.record(OBJECT, NOTE);
    await vi.advanceTimersByTimeAsync(361_000);
    recorder.record(OBJECT, NOTE);
    await recorder.stop(1_000);
    expect(created).toHaveLength(2);
  });

  test('that the server refuses are dropped, and those after them are sent', async () => {
    const { recorder, created, dropped } = makeRecorder(async (body) => {
      if (body['reason'] === 'Bad') throw new ApiError(403, { message: 'no rights' });
    });
    recorder.record(OBJECT, { ...NOTE, reason: 'Bad' });
    recorder.record(OBJECT, NOTE);
    await recorder.stop(1_000);
    expect(dropped).toEqual(['no rights']);
    expect(created).toHaveLength(1);
  });

  test('are dropped rather than kept without end, and stopping does not wait forever', async () => {
    const { recorder, dropped } = makeRecorder(() => new Promise(() => undefined));
    for (let time = 0; time < 1_500; time += 1) recorder.record(OBJECT, { ...NOTE, message: `${time}` });
    expect(dropped).toHaveLength(500);
    const stopped = recorder.stop(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    await stopped;
  });
});

describe('discovery', () => {
  test('asks once for all types of a version, until it is told to forget', async () => {
    const asked: string[] = [];
    const discovery = new Discovery({
      raw: async (_method, path) => {
        asked.push(path);
        if (path !== '/apis/apps/v1') throw new ApiError(404, {});
        return { resources: [{ name: 'deployments' }] };
      },
    });
    expect(await discovery.isServed(TYPES.deployment)).toBe(true);
    expect(await discovery.isServed({ ...TYPES.deployment, plural: 'things' })).toBe(false);
    expect(await discovery.isServed(TYPES.scaledObject)).toBe(false);
    expect(asked).toEqual(['/apis/apps/v1', '/apis/keda.sh/v1alpha1']);
    discovery.forget();
    await discovery.isServed(TYPES.deployment);
    expect(asked).toHaveLength(3);
  });

  test('tells a type whose CRD is being deleted by the verbs that are left', async () => {
    const verbs = {
      deployments: ['create', 'get'],
      scaledobjects: ['delete', 'deletecollection', 'get', 'list', 'watch'],
    };
    const discovery = new Discovery({
      raw: async () => ({ resources: Object.entries(verbs).map(([name, its]) => ({ name, verbs: its })) }),
    });
    const types = [TYPES.deployment, TYPES.scaledObject, { ...TYPES.deployment, plural: 'things' }];
    expect(await Promise.all(types.map((type) => discovery.isLeaving(type)))).toEqual([false, true, false]);
    expect(await discovery.isServed(TYPES.scaledObject)).toBe(true);
  });

  test('takes no failure for an answer', async () => {
    let fails = true;
    const discovery = new Discovery({
      raw: async () => {
        if (fails) throw new ApiError(503, {});
        return { resources: [{ name: 'deployments' }] };
      },
    });
    await expect(discovery.isServed(TYPES.deployment)).rejects.toMatchObject({ status: 503 });
    fails = false;
    expect(await discovery.isServed(TYPES.deployment)).toBe(true);
  });
});
