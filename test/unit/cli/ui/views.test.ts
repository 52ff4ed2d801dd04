import { describe, expect, test } from 'vitest';
import { attemptsOf } from '../../../../cli/ui/views/attempts.ts';
import { chatOf } from '../../../../cli/ui/views/chat-readiness.ts';
import { endingOf } from '../../../../cli/ui/views/chat.ts';
import { Downloads, secondsLeftOf } from '../../../../cli/ui/views/download.ts';
import { eventsOf } from '../../../../cli/ui/views/events.ts';
import { lineStateOf } from '../../../../cli/ui/views/state.ts';
import { allKinds } from '../../../../cli/kinds.ts';
import type { ObservedPod, Resource } from '../../../../operator/engine/api/index.ts';
import { AGENT, SERVING, TRAINING } from '../../install/gitops/support/situations.ts';
import { event, live, pod } from '../support/objects.ts';

describe('the attempts of a training', () => {
  const ended = (number: number, charged: number, more: object = {}) => ({
    number,
    reason: 'ProgramFailed',
    message: `Rank 0 of attempt ${number} failed.`,
    charged,
    startedAt: `2026-01-01T0${number}:00:00Z`,
    finishedAt: `2026-01-01T0${number}:30:00Z`,
    ...more,
  });
  const rank = (attempt: number, createdAt: string): ObservedPod => ({
    ...({} as ObservedPod),
    name: `resnet-${attempt}-0`,
    labels: { 'trunnion.dev/attempt': String(attempt) },
    createdAt: Date.parse(createdAt),
  });
  const of = (status: object, pods: readonly ObservedPod[] = [], spec: unknown = {}) =>
    attemptsOf({ spec, status }, pods);

  test('that have ended failed where they were charged, and were interrupted where they were not', () => {
    expect(
      of({ attempt: 3, attempts: [ended(1, 1), ended(2, 0, { message: undefined, reason: 'Suspended' })] }),
    ).toEqual([
      {
        label: 'attempt 1',
        startedAt: '2026-01-01T01:00:00Z',
        endedAt: '2026-01-01T01:30:00Z',
        state: 'failed',
        message: 'Rank 0 of attempt 1 failed.',
      },
      {
        label: 'attempt 2',
        startedAt: '2026-01-01T02:00:00Z',
        endedAt: '2026-01-01T02:30:00Z',
        state: 'interrupted',
        message: 'Suspended',
      },
    ]);
  });

  test('include the one that runs, since its first pod', () => {
    const pods = [rank(2, '2026-01-01T03:00:05Z'), rank(2, '2026-01-01T03:00:01Z'), rank(1, '2026-01-01T01:00:00Z')];
    expect(of({ attempt: 2, attempts: [ended(1, 1)] }, pods)[1]).toEqual({
      label: 'attempt 2',
      startedAt: '2026-01-01T03:00:01Z',
      state: 'running',
    });
  });

  test('whose pods may not be seen begin where its condition changed', () => {
    const conditions = [{ type: 'Running', status: 'True', lastTransitionTime: '2026-01-01T04:00:00Z' }];
    expect(of({ attempt: 1, conditions })).toEqual([
      { label: 'attempt 1', startedAt: '2026-01-01T04:00:00Z', state: 'running' },
    ]);
  });

  test('end with the training', () => {
    const end = { attempt: 1, startTime: '2026-01-01T01:00:00Z', completionTime: '2026-01-01T02:00:00Z' };
    const times = { label: 'attempt 1', startedAt: end.startTime, endedAt: end.completionTime };
    const complete = [{ type: 'Complete', status: 'True', message: 'All ranks succeeded.' }];
    expect(of({ ...end, conditions: complete })).toEqual([
      { ...times, state: 'succeeded', message: 'All ranks succeeded.' },
    ]);
    const failed = [{ type: 'Failed', status: 'True', message: 'Its time is over.' }];
    expect(of({ ...end, conditions: failed })).toEqual([{ ...times, state: 'failed', message: 'Its time is over.' }]);
  });

  test('that failed at last are not told twice', () => {
    const end = { attempt: 1, attempts: [ended(1, 1)], completionTime: '2026-01-01T02:00:00Z' };
    expect(of(end)).toHaveLength(1);
  });

  test('of an earlier operator are those inside its status', () => {
    expect(of({ phase: 'Training', workload: { attempt: 2, attempts: [ended(1, 1)] } })).toHaveLength(1);
  });

  test.for([[undefined], [{}], [{ attempt: 1 }]] as const)('are none before it starts: %j', ([status]) => {
    expect(attemptsOf({ spec: {}, ...(status && { status }) }, [])).toEqual([]);
  });

  test('are the trials of a search', () => {
    const times = { startTime: '2026-01-01T01:00:00Z', completionTime: '2026-01-01T02:00:00Z' };
    const trials = [
      { number: 1, phase: 'Completed', value: 0.9, ...times },
      { number: 2, phase: 'Failed', reason: 'Failed', message: 'It ran out of memory.', ...times },
      { number: 3, phase: 'Completed', reason: 'NoMetric', ...times },
      { number: 4, phase: 'Running', startTime: times.startTime },
      { number: 5, phase: 'Pending' },
    ];
    const spec = { tuning: { objective: { metric: 'accuracy' } } };
    expect(of({ tuning: { trials } }, [], spec)).toEqual([
      {
        label: 'trial 1',
        startedAt: times.startTime,
        endedAt: times.completionTime,
        state: 'succeeded',
        message: 'accuracy=0.9',
      },
      {
        label: 'trial 2',
        startedAt: times.startTime,
        endedAt: times.completionTime,
        state: 'failed',
        message: 'Failed: It ran out of memory.',
      },
      {
        label: 'trial 3',
        startedAt: times.startTime,
        endedAt: times.completionTime,
        state: 'failed',
        message: 'NoMetric',
      },
      { label: 'trial 4', startedAt: times.startTime, state: 'running' },
    ]);
  });
});

describe('a download', () => {
  const uri = 'hf://a/b';
  const at = (bytes: number, more: object = {}) => ({ weights: { uri, bytes, totalBytes: 1_000, ...more } });

  test('is none before anything is known of it', () => {
    const downloads = new Downloads();
    expect(downloads.of('a', undefined, 0)).toBeUndefined();
    expect(downloads.of('a', { weights: { uri } }, 0)).toBeUndefined();
  });

  test('tells when it will be there once its speed is known', () => {
    const downloads = new Downloads();
    expect(downloads.of('a', at(0), 0)).toEqual({ uri, bytes: 0, totalBytes: 1_000, done: false });
    expect(downloads.of('a', at(100), 5_000)).not.toHaveProperty('secondsLeft');
    expect(downloads.of('a', at(100), 7_000)).not.toHaveProperty('secondsLeft');
    expect(downloads.of('a', at(200), 15_000)).toMatchObject({ secondsLeft: 80 });
    expect(downloads.of('a', at(200), 17_000)).toMatchObject({ secondsLeft: 80 });
    expect(downloads.of('a', at(200), 80_000)).not.toHaveProperty('secondsLeft');
  });

  test('of another model begins again, and so does one that lost what it had', () => {
    const downloads = new Downloads();
    for (const [bytes, now] of [
      [0, 0],
      [100, 5_000],
      [200, 15_000],
    ] as const)
      downloads.of('a', at(bytes), now);
    expect(downloads.of('a', { weights: { uri: 'hf://c/d', bytes: 300, totalBytes: 1_000 } }, 25_000)).toEqual({
      uri: 'hf://c/d',
      bytes: 300,
      totalBytes: 1_000,
      done: false,
    });
    expect(downloads.of('a', at(50), 26_000)).not.toHaveProperty('secondsLeft');
  });

  test('is done where its volume has all of it', () => {
    const done = new Downloads().of('a', at(1_000, { claimUID: 'x' }), 0);
    expect(done).toEqual({ uri, bytes: 1_000, totalBytes: 1_000, done: true });
  });

  test('of an earlier operator is inside its status', () => {
    expect(new Downloads().of('a', { phase: 'Loading', workload: at(5) }, 0)).toMatchObject({ bytes: 5 });
  });

  test('that has not changed in a minute has no end', () => {
    const samples = [
      { at: 0, bytes: 0 },
      { at: 10_000, bytes: 100 },
    ];
    expect(secondsLeftOf(samples, 1_000, 60_000)).toBe(90);
    expect(secondsLeftOf(samples, 1_000, 71_000)).toBeUndefined();
    expect(secondsLeftOf(samples.slice(1), 1_000, 10_000)).toBeUndefined();
  });
});

describe('events', () => {
  const serving = live('trunnion.dev/v1alpha1', 'ModelServing', 'llama') as unknown as Resource;
  const own = pod('llama-0', {});

  test('are those of a resource and of what it owns, the latest first', () => {
    const first = event(own, 'Warning', 'BackOff', 'It crashes.', 3);
    const later = {
      ...event(serving as never, 'Normal', 'Created', 'Made.'),
      lastTimestamp: '2026-01-01T00:02:00Z',
    };
    const other = event(pod('other-0', {}), 'Warning', 'BackOff', 'It crashes.');
    expect(eventsOf(serving, [own], [first, other, later])).toEqual([
      {
        kind: 'ModelServing',
        name: 'llama',
        warning: false,
        reason: 'Created',
        message: 'Made.',
        count: 1,
        at: '2026-01-01T00:02:00.000Z',
      },
      {
        kind: 'Pod',
        name: 'llama-0',
        warning: true,
        reason: 'BackOff',
        message: 'It crashes.',
        count: 3,
        at: '2026-01-01T00:01:00.000Z',
      },
    ]);
  });

  test('are a hundred at the most, and those without a time are left out', () => {
    const many = Array.from({ length: 150 }, (_, i) => event(own, 'Normal', `R${i}`, ''));
    expect(eventsOf(serving, [own], many)).toHaveLength(100);
    expect(eventsOf(serving, [own], [{ ...event(own, 'Normal', 'R', ''), lastTimestamp: 'x' }])).toEqual([]);
  });
});

describe('the chat', () => {
  const kindOf = (name: string) => allKinds.find(({ type }) => type.kind === name) as (typeof allKinds)[number];
  const of = (kind: string, status: object, spec: object = { engine: { type: 'vllm' }, model: { uri: 'hf://a/b' } }) =>
    chatOf({
      kind: kindOf(kind),
      resource: live('trunnion.dev/v1alpha1', kind, 'llama', { spec, status }) as unknown as Resource,
    });

  test('is with what serves', () => {
    expect(of('ModelServing', { phase: 'Running', readyReplicas: 1 })).toEqual({ ready: true });
    expect(of('ModelServing', { phase: 'Updating', readyReplicas: 1 })).toEqual({ ready: true });
    expect(of('AgentService', { phase: 'Running', readyReplicas: 1 }, {})).toEqual({ ready: true });
    expect(of('DistributedTraining', { phase: 'Running' })).toBeUndefined();
  });

  test('says why it is not yet', () => {
    expect(of('ModelServing', { phase: 'Downloading', readyReplicas: 0 })).toEqual({
      ready: false,
      reason: expect.stringContaining('no pod of modelserving/llama is ready: it is Downloading'),
    });
    expect(of('ModelServing', { phase: 'Draining', readyReplicas: 2 })).toMatchObject({ ready: false });
  });

  test('says which protocol another engine has', () => {
    const spec = { engine: { type: 'triton' }, model: { uri: 'hf://a/b' } };
    expect(of('ModelServing', { phase: 'Running', readyReplicas: 1 }, spec)).toEqual({
      ready: false,
      reason: expect.stringContaining("KServe's V2 protocol"),
    });
  });

  test('ends with how the answer came', () => {
    expect(endingOf({ hasThought: false, tokens: 11, firstTokenSeconds: 1, streamSeconds: 2 })).toEqual({
      ending: 'stop',
      tokens: 11,
      tokensPerSecond: 5,
      firstTokenSeconds: 1,
      seconds: 3,
    });
  });
});

describe('the state of a line', () => {
  const STATES = { Healthy: 'ok', Progressing: 'waiting', Suspended: 'waiting', Degraded: 'failed' } as const;
  const all = [...Object.entries(SERVING), ...Object.entries(TRAINING), ...Object.entries(AGENT)].flatMap(
    ([phase, situations]) => situations.map(([what, health, resource]) => [phase, what, health, resource] as const),
  );

  test.for(all)('of %s, where %s', ([phase, , health, resource]) => {
    const isAsWanted = phase === 'Retired' || (phase === 'Running' && health === 'Progressing');
    const state = lineStateOf(resource());
    if (!isAsWanted) expect(state).toBe(STATES[health]);
    else expect(['ok', STATES[health]]).toContain(state);
  });

  test('of what nobody has looked at is that it waits', () => {
    expect(lineStateOf({ metadata: { ...all[0]?.[3]().metadata, generation: 2 } as Resource['metadata'] })).toBe(
      'waiting',
    );
  });
});
