import { describe, expect, it } from 'vitest';
import type { ModelServingStatus } from '../../../../constructs/model-serving/status.ts';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import {
  OTHER_URI,
  SECOND,
  START,
  claim,
  container,
  decide,
  deployment,
  job,
  requests,
  resourceOf,
  runningChildren,
  runningStatus,
  conditionOf,
  messageOf,
  server,
  shared,
  withUri,
} from './support.ts';

const retired = { ...shared, retired: true, successor: 'llama-4' };
const withdrawn = runningChildren(shared).filter(({ kind }) => kind !== 'Service');
const after = (seconds: number) => START + seconds * SECOND;
const at = (seconds: number) => new Date(after(seconds)).toISOString();

/** A drain some seconds after it began, with what was known then. */
const draining = (
  seconds: number,
  {
    answer,
    drain = {},
    ...over
  }: { answer?: Answer; drain?: Partial<NonNullable<ModelServingStatus['drain']>> } & Partial<
    Parameters<typeof decide>[0]
  > = {},
) =>
  decide(
    {
      resource: resourceOf(retired, {
        status: { ...runningStatus(shared), drain: { startedAt: at(0), withdrawnAt: at(0), ...drain } },
        generation: 2,
      }),
      children: withdrawn,
      pods: [server(shared)],
      ...(answer && { answers: { 'inFlight/llama-server-1': answer } }),
      ...over,
    },
    after(seconds),
  );

describe('a service that is retired', () => {
  it('leaves the endpoint first, keeps its pods as they are, and says where to go', () => {
    const { state, status, release } = decide({
      resource: resourceOf(retired, { status: runningStatus(shared), generation: 2 }),
      children: runningChildren(shared),
      pods: [server(shared)],
    });
    expect(state).toMatchObject({ lifecycle: 'draining', serving: shared });
    expect(status.phase).toBe('Draining');
    expect(status.endpoint).toBeUndefined();
    expect(status.drain).toEqual({ startedAt: at(0) });
    expect(messageOf(status, 'Available')).toMatch(/120 s.*llama-4/);
    expect(release).toBeUndefined();
  });

  it('asks each pod for its requests in flight, by the names of its engine', () => {
    const queries = draining(1).queries.filter(({ type }) => type === 'podMetrics');
    expect(queries).toEqual([
      {
        id: 'inFlight/llama-server-1',
        type: 'podMetrics',
        pod: 'llama-server-1',
        port: 8000,
        path: '/metrics',
        metrics: ['vllm:num_requests_running', 'vllm:num_requests_waiting'],
        everySeconds: 2,
      },
    ]);
  });

  it.each([
    ['requests are in flight', 10, { answer: requests(3, after(9)) }],
    ['the last look was before the endpoint was gone everywhere', 6, { answer: requests(0, after(4)) }],
    ['it has looked once only', 6, { answer: requests(0, after(6)) }],
    ['nothing is known', 60, {}],
    ['the answer was an error', 60, { answer: { at: after(59), type: 'unknown', message: 'timed out' } as const }],
    [
      'the metrics have other names',
      60,
      { answer: { at: after(59), type: 'podMetrics', values: {}, closed: false } as const },
    ],
    [
      'the port has closed before the endpoint was gone everywhere',
      4,
      { answer: { at: after(4), type: 'podMetrics', values: {}, closed: true } as const },
    ],
  ])('still drains while %s', (_, seconds, over) => {
    const { state, requeueAt } = draining(seconds, over);
    expect(state.lifecycle).toBe('draining');
    expect(requeueAt).toBeGreaterThan(after(seconds));
    expect(requeueAt).toBeLessThanOrEqual(after(seconds + 5));
  });

  it('starts its five seconds only when the Service is seen gone', () => {
    const status = { ...runningStatus(shared), drain: { startedAt: at(0) } };
    const resource = resourceOf(retired, { status, generation: 2 });
    const observed = {
      resource,
      pods: [server(shared)],
      answers: { 'inFlight/llama-server-1': requests(0, after(20)) },
    };
    expect(decide({ ...observed, children: runningChildren(shared) }, after(20)).status.drain).toEqual({
      startedAt: at(0),
      requestsInFlight: 0,
      observedAt: at(20),
    });
    expect(decide({ ...observed, children: withdrawn }, after(21)).status.drain).toMatchObject({ withdrawnAt: at(21) });
  });

  it('is over when two looks in a row found nothing', () => {
    const first = draining(6, { answer: requests(0, after(6)) }).status.drain;
    expect(first).toMatchObject({ idleAt: at(6), requestsInFlight: 0 });
    const { state, status } = draining(8, { drain: first ?? {}, answer: requests(0, after(8)) });
    expect(state.lifecycle).toBe('retired');
    expect(status.drain).toEqual({ startedAt: at(0), withdrawnAt: at(0), endedAt: at(8), requestsInFlight: 0 });
    expect(status.phase).toBe('Retired');
    expect(messageOf(status, 'Available')).not.toContain('cut');
  });

  it('begins to count again when a request comes between', () => {
    const { status } = draining(8, { drain: { idleAt: at(6) }, answer: requests(1, after(8)) });
    expect(status.drain?.idleAt).toBeUndefined();
  });

  it('is over when nobody listens any more, and at once when no pod serves', () => {
    const closed: Answer = { at: after(6), type: 'podMetrics', values: {}, closed: true };
    expect(draining(6, { answer: closed }).state.lifecycle).toBe('retired');
    expect(draining(0, { pods: [server(shared, { containers: [container('server')] })] }).state.lifecycle).toBe(
      'retired',
    );
    expect(draining(0, { pods: [] }).state.lifecycle).toBe('retired');
  });

  it('is over when its time is, and says how many requests were cut', () => {
    const { state, status } = draining(120, { answer: requests(3, after(119)) });
    expect(state.lifecycle).toBe('retired');
    expect(messageOf(status, 'Available')).toContain('3 requests were cut');
  });

  it('whose engine tells no number is stopped when the endpoint is gone everywhere', () => {
    const spec = { ...shared, engine: { type: 'custom', image: 'mine:1' } } as const;
    const status = { ...runningStatus(spec), drain: { startedAt: at(0), withdrawnAt: at(0) } };
    const observed = {
      resource: resourceOf({ ...spec, retired: true }, { status }),
      children: withdrawn,
      pods: [server(spec)],
    };
    expect(decide(observed, after(4)).state.lifecycle).toBe('draining');
    expect(decide(observed, after(5)).state.lifecycle).toBe('retired');
  });

  it('writes the number of requests at most every ten seconds, and at once when it is zero', () => {
    const drain = { requestsInFlight: 5, observedAt: at(6) };
    expect(draining(8, { drain, answer: requests(3, after(8)) }).status.drain).toMatchObject({ requestsInFlight: 5 });
    expect(draining(16, { drain, answer: requests(3, after(16)) }).status.drain).toMatchObject({ requestsInFlight: 3 });
    expect(draining(8, { drain, answer: requests(0, after(8)) }).status.drain).toMatchObject({ requestsInFlight: 0 });
  });

  it('is not rolled by another change that comes with the retirement', () => {
    const spec = { ...withUri(retired, OTHER_URI), engine: { type: 'sglang' as const } };
    const { state } = decide({
      resource: resourceOf(spec, { status: runningStatus(shared), generation: 2 }),
      children: [...runningChildren(shared), claim(OTHER_URI), job(OTHER_URI, 'Complete')],
      pods: [server(shared)],
    });
    expect(state).toMatchObject({ lifecycle: 'draining', serving: shared });
  });

  it('comes back in the middle of its drain', () => {
    const status = draining(3, { answer: requests(3, after(3)) }).status;
    const { state, status: back } = decide({
      resource: resourceOf(shared, { status, generation: 3 }),
      children: withdrawn,
      pods: [server(shared)],
    });
    expect(state.lifecycle).toBeUndefined();
    expect(back.drain).toBeUndefined();
  });

  const gone = draining(8, { drain: { idleAt: at(6) }, answer: requests(0, after(8)) }).status;

  it('stays retired while its pods go, whatever they answer', () => {
    const { state, status, queries, requeueAt } = decide({
      resource: resourceOf(retired, { status: gone, generation: 2 }),
      children: withdrawn,
      pods: [server(shared)],
      answers: { 'inFlight/llama-server-1': requests(7, after(9)) },
    });
    expect(state).toEqual({ lifecycle: 'retired' });
    expect(status.phase).toBe('Retired');
    expect([queries, requeueAt]).toEqual([[], undefined]);
  });

  it('comes back without a download', () => {
    const { state, status } = decide({
      resource: resourceOf(shared, { status: gone, generation: 3 }),
      children: [claim(shared.model.uri)],
    });
    expect(state).toEqual({});
    expect(conditionOf(status, 'WeightsReady')).toBe('True Fetched');
    expect(status.phase).toBe('Pending');
    const { status: starting } = decide({
      resource: resourceOf(shared, { status, generation: 3 }),
      children: [...withdrawn.filter(({ kind }) => kind !== 'Deployment'), deployment({ ready: 0 })],
    });
    expect(starting.phase).toBe('Deploying');
  });

  it('downloads what it comes back with, where that is another model', () => {
    const { state, status } = decide({
      resource: resourceOf(withUri(shared, OTHER_URI), { status: gone, generation: 3 }),
      children: [claim(OTHER_URI)],
    });
    expect(state).toEqual({});
    expect(conditionOf(status, 'WeightsReady')).toBe('False FetchPending');
  });
});

describe('a resource that is deleted', () => {
  const deleted = (status?: ModelServingStatus) => resourceOf(shared, { deleting: true, ...(status && { status }) });

  it('drains before it is released', () => {
    const observed = {
      resource: deleted(runningStatus(shared)),
      children: runningChildren(shared),
      pods: [server(shared)],
    };
    const { state, release, status } = decide(observed);
    expect([state.lifecycle, release, status.phase]).toEqual(['draining', undefined, 'Draining']);
  });

  it('is released when it has drained', () => {
    const drain = { startedAt: at(0), withdrawnAt: at(0), idleAt: at(6) };
    const { state, release } = decide(
      {
        resource: deleted({ ...runningStatus(shared), drain }),
        children: withdrawn,
        pods: [server(shared)],
        answers: { 'inFlight/llama-server-1': requests(0, after(8)) },
      },
      after(8),
    );
    expect([state.lifecycle, release]).toEqual(['retired', true]);
  });

  it.each([
    ['never got a server', deleted(), [claim(shared.model.uri), job(shared.model.uri)]],
    ['was retired before', deleted({ drain: { startedAt: at(0), endedAt: at(8) } }), [claim(shared.model.uri)]],
  ])('is released at once where it %s', (_, resource, children) => {
    const { state, release } = decide({ resource, children });
    expect([state.lifecycle, release]).toEqual(['retired', true]);
  });

  it('names what is still being deleted half a minute after it is out of service', () => {
    const resource = deleted({ drain: { startedAt: at(0), endedAt: at(8) } });
    const children = [claim(shared.model.uri, 'Bound', { deleting: true })];
    const soon = decide({ resource, children }, after(20));
    expect(messageOf(soon.status, 'Ready')).not.toContain('being deleted');
    expect(soon.requeueAt).toBe(after(38));
    const late = decide({ resource, children }, after(38));
    expect(messageOf(late.status, 'Ready')).toMatch(/still being deleted.*: PersistentVolumeClaim llama-weights-/);
    expect(late.requeueAt).toBeUndefined();
  });

  it('continues with the drain that a retirement began', () => {
    const drain = { startedAt: at(0), withdrawnAt: at(0) };
    const resource = resourceOf(retired, { deleting: true, status: { ...runningStatus(shared), drain } });
    const { status } = decide({ resource, children: withdrawn, pods: [server(shared)] }, after(3));
    expect(status.drain).toEqual(drain);
  });
});
