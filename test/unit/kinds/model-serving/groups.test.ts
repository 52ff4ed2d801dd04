import { describe, expect, it } from 'vitest';
import { modelServing } from '../../../../constructs/model-serving/kind.ts';
import type { ModelServingSpec } from '../../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../../constructs/model-serving/status.ts';
import type { ObservedChild, ObservedPod } from '../../../../operator/engine/api/observed.ts';
import { groupsOf } from '../../../../operator/kinds/model-serving/groups.ts';
import {
  URI,
  claim,
  conditionOf,
  container,
  decide,
  deployment,
  ends,
  job,
  messageOf,
  resourceOf,
  RUNNING,
  server,
  service,
  shared,
  START,
} from './support.ts';

const grouped: ModelServingSpec = { ...shared, nodes: 2, replicas: 2 };

interface Counts {
  readonly desired?: number;
  readonly replicas?: number;
  readonly updated?: number;
  readonly observedGeneration?: number;
}

/** A LeaderWorkerSet as its controller leaves it. */
const groups = ({ desired = 2, replicas = desired, updated = replicas, observedGeneration = 1 }: Counts = {}) =>
  ({
    ...deployment({ desired, replicas, updated, observedGeneration }),
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    name: 'llama-server',
    uid: 'uid-of-groups',
  }) satisfies ObservedChild;

interface Member {
  readonly ready?: boolean;
  readonly revision?: string;
  readonly size?: number;
}

/** A pod of a group; rank 0 is its leader. */
const member = (
  group: number,
  rank: number,
  { ready = true, revision = 'first', size = 2, ...over }: Member & Partial<ObservedPod> = {},
): ObservedPod => {
  const name = rank === 0 ? `llama-server-${group}` : `llama-server-${group}-${rank}`;
  return {
    ...server(grouped, { name, uid: `uid-of-${name}` }),
    labels: {
      'app.kubernetes.io/component': rank === 0 ? 'server' : 'worker',
      'leaderworkerset.sigs.k8s.io/group-index': String(group),
      'leaderworkerset.sigs.k8s.io/worker-index': String(rank),
      'leaderworkerset.sigs.k8s.io/template-revision-hash': revision,
    },
    annotations: { 'trunnion.dev/nodes': String(size) },
    node: `node-${group}-${rank}`,
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', reason: '', message: '' }],
    containers: [container('server', { ready, started: ready, ...RUNNING })],
    ...over,
  };
};

const crashed = (group: number, rank: number, exitCode: number, over: Partial<ObservedPod> = {}): ObservedPod =>
  member(group, rank, {
    ready: false,
    containers: [container('server', { restarts: 1, lastTerminated: ends(exitCode) })],
    ...over,
  });

const full = [member(0, 0), member(0, 1), member(1, 0), member(1, 1)];

const around = [claim(URI), job(URI, 'Complete'), service()];

interface Look {
  readonly spec?: ModelServingSpec;
  readonly status?: ModelServingStatus;
  readonly children?: readonly ObservedChild[];
}

const look = (pods: readonly ObservedPod[], { spec = grouped, status, children = [...around, groups()] }: Look = {}) =>
  decide({ resource: resourceOf(spec, { ...(status && { status }) }), children, pods });

const namesOf = (pods: readonly ObservedPod[]) => pods.map(({ name }) => name);

describe('a group', () => {
  it('is ready once all of its pods are', () => {
    const [first, second] = groupsOf('llama-server', [...full.slice(0, 3), member(1, 1, { ready: false })]);
    expect([first?.ready, second?.ready]).toEqual([true, false]);
  });

  it('has as many pods as its own template says', () => {
    expect(groupsOf('llama-server', [member(0, 0, { size: 3 }), member(0, 1, { size: 3 })])).toMatchObject([
      { size: 3, ready: false },
    ]);
  });

  it('does not have the workers of the leader before', () => {
    const [group] = groupsOf('llama-server', [member(0, 0, { createdAt: START }), member(0, 1)]);
    expect(group).toMatchObject({ ready: false, members: [{ name: 'llama-server-0' }] });
  });

  it('has none of the pods that go', () => {
    const [group] = groupsOf('llama-server', [member(0, 0), member(0, 1, { deleting: true })]);
    expect(namesOf(group?.members ?? [])).toEqual(['llama-server-0']);
  });

  it('names the pod that failed first', () => {
    const later = { ...ends(1), finishedAt: '2026-01-01T00:00:05Z' };
    const leader = crashed(0, 0, 1, { containers: [container('server', { lastTerminated: later })] });
    expect(groupsOf('llama-server', [leader, crashed(0, 1, 137)])).toMatchObject([
      { failure: { rank: 1, node: 'node-0-1', exitCode: 137, pod: 'llama-server-0-1' } },
    ]);
  });

  it('names no pod that was stopped with the others', () => {
    const stopped = member(0, 0, {
      deleting: true,
      containers: [container('server', { terminated: ends(143) })],
    });
    expect(groupsOf('llama-server', [stopped, member(0, 1)])[0]).not.toHaveProperty('failure');
    const failed = crashed(0, 1, 137, { deleting: true });
    expect(groupsOf('llama-server', [stopped, failed])).toMatchObject([{ failure: { rank: 1, exitCode: 137 } }]);
  });

  it('names a worker whose process ended without a failure: it should run on', () => {
    expect(groupsOf('llama-server', [member(0, 0), crashed(0, 1, 0)])).toMatchObject([{ failure: { exitCode: 0 } }]);
  });
});

describe('a service of groups', () => {
  it('is ready once all groups are', () => {
    const { status } = look(full);
    expect(status.phase).toBe('Running');
    expect(conditionOf(status, 'Ready')).toBe('True Ready');
    expect(status).toMatchObject({
      replicas: 2,
      readyReplicas: 2,
      groups: [
        { name: 'llama-server-0', pods: 2, readyPods: 2, restarts: 0 },
        { name: 'llama-server-1', pods: 2, readyPods: 2, restarts: 0 },
      ],
    });
  });

  it('writes a status that its schema knows', () => {
    const { status } = look([...full.slice(0, 3), crashed(1, 1, 1)]);
    const { properties = {} } = modelServing.schema().properties?.['status'] ?? {};
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(status)));
  });

  it('is not ready where the leader answers and a worker does not, whatever the LeaderWorkerSet says', () => {
    const { status } = look([member(0, 0), member(0, 1, { ready: false }), member(1, 0), member(1, 1)]);
    expect(status.readyReplicas).toBe(1);
    expect(conditionOf(status, 'Available')).toBe('True Degraded');
    expect(conditionOf(status, 'Ready')).not.toBe('True Ready');
  });

  it('waits for the newest generation', () => {
    const { status } = look(full, { children: [...around, groups({ observedGeneration: 0 })] });
    expect(conditionOf(status, 'Progressing')).toBe('True RollingOut');
  });

  it('counts the groups of a rollout', () => {
    const { status } = look([...full, member(2, 0, { revision: 'second' }), member(2, 1, { revision: 'second' })], {
      children: [...around, groups({ replicas: 3, updated: 1 })],
    });
    expect(conditionOf(status, 'Progressing')).toBe('True RollingOut');
    expect(messageOf(status, 'Progressing')).toBe(
      '1 of 2 replicas are of the newest template; 2 of an earlier one run until replaced.',
    );
  });

  it('says that LeaderWorkerSet is not installed', () => {
    const resource = resourceOf(grouped);
    const failure = {
      child: 'groups',
      reason: 'NotServed',
      message: 'the server could not find the resource',
    } as const;
    const { status } = decide({ resource, children: around, problems: [failure] });
    expect(conditionOf(status, 'Progressing')).toBe('False LeaderWorkerSetNotInstalled');
    expect(conditionOf(status, 'Ready')).toBe('False LeaderWorkerSetNotInstalled');
    expect(messageOf(status, 'Ready').match(/LeaderWorkerSet is not installed/g)).toHaveLength(1);
  });
});

describe('a group that is made again', () => {
  const before = look(full).status;
  const seen = look([...full.slice(0, 3), crashed(1, 1, 137)], { status: before }).status;
  const remade = (uid: string, ready = false) => [
    member(0, 0),
    member(0, 1),
    member(1, 0, { uid, ready }),
    member(1, 1, { ready }),
  ];

  it('is told with the rank, the node and the exit code of what failed', () => {
    expect(seen.groups?.[1]).toMatchObject({
      restarts: 0,
      lastFailure: { rank: 1, node: 'node-1-1', exitCode: 137, pod: 'llama-server-1-1' },
    });
  });

  it('counts, and keeps what ended it though its pods are gone', () => {
    const { status } = look(remade('next'), { status: seen });
    expect(status.groups?.[1]).toMatchObject({ restarts: 1, failedStarts: 1, lastFailure: { exitCode: 137 } });
    expect(messageOf(status, 'Available')).toContain(
      'Replica llama-server-1 starts again: rank 1 on node node-1-1 ended with exit code 137.',
    );
    expect(conditionOf(status, 'Ready')).toBe('False Degraded');
  });

  it('keeps what failed first, though that pod is gone before another one which ended for lack of it', () => {
    const lastTerminated = { ...ends(0), finishedAt: '2026-01-01T00:00:05Z' };
    const follower = member(1, 0, {
      deleting: true,
      containers: [container('server', { restarts: 1, lastTerminated })],
    });
    const { status } = look([...full.slice(0, 2), follower], { status: seen });
    expect(status.groups?.[1]).toMatchObject({ lastFailure: { rank: 1, exitCode: 137 } });
  });

  it('tells the next failure, not the one before', () => {
    const lastTerminated = { ...ends(1), finishedAt: new Date(START + 60_000).toISOString() };
    const next = { uid: 'next', createdAt: START + 30_000, ready: false };
    const failed = { ...next, containers: [container('server', { restarts: 1, lastTerminated })] };
    const { status } = look([...full.slice(0, 2), member(1, 0, failed), member(1, 1, next)], { status: seen });
    expect(status.groups?.[1]).toMatchObject({ lastFailure: { rank: 0, exitCode: 1 } });
  });

  it('does not count the end of a pod of an earlier template against the next one', () => {
    const next = { uid: 'next', revision: 'second', createdAt: START, ready: false };
    const { status } = look([...full.slice(0, 2), member(1, 0, next), crashed(1, 1, 137, { deleting: true })], {
      status: seen,
    });
    expect(status.groups?.[1]).not.toHaveProperty('lastFailure');
  });

  it('counts once, however often it is looked at', () => {
    const once = look(remade('next'), { status: seen }).status;
    expect(look(remade('next'), { status: once }).status.groups).toEqual(once.groups);
  });

  it('is well again once it is ready', () => {
    const again = look(remade('next'), { status: seen }).status;
    const { status } = look(remade('next', true), { status: again });
    expect(conditionOf(status, 'Ready')).toBe('True Ready');
    expect(status.groups?.[1]).toMatchObject({ restarts: 1, lastFailure: { exitCode: 137 } });
    expect(status.groups?.[1]).not.toHaveProperty('failedStarts');
  });

  it('is in a loop once it has failed to start three times', () => {
    const alone = { spec: { ...grouped, replicas: 1 }, children: [...around, groups({ desired: 1 })] };
    const start = (uid: string, status?: ModelServingStatus) =>
      look([member(0, 0, { uid, ready: false }), crashed(0, 1, 1)], { ...alone, ...(status && { status }) }).status;
    let status = start('first');
    for (const uid of ['second', 'third', 'fourth']) status = start(uid, status);
    const pods = [member(0, 0, { uid: 'fourth', ready: false }), member(0, 1, { ready: false })];
    const last = look(pods, { ...alone, status }).status;
    expect(conditionOf(last, 'Progressing')).toBe('False GroupCrashLoop');
    expect(messageOf(last, 'Progressing')).toContain('has failed to start 3 times in a row');
  });

  it('counts from zero with another template', () => {
    const revision = 'second';
    const pods = [
      ...full.slice(0, 2),
      member(1, 0, { uid: 'next', revision, ready: false }),
      member(1, 1, { revision, ready: false }),
    ];
    const { status } = look(pods, { status: seen });
    expect(status.groups?.[1]).toMatchObject({ restarts: 0, revision });
    expect(status.groups?.[1]).not.toHaveProperty('lastFailure');
  });
});

describe('a change in the middle of a rollout', () => {
  const revision = 'second';
  const ready = { revision, createdAt: START };
  const surge = [member(2, 0, ready), member(2, 1, ready)];
  const before: ModelServingStatus = { ...look(full).status, served: { spec: grouped } };
  const spec = { ...grouped, engine: { type: 'vllm' as const, args: ['--seed=2'] } };
  const children = [...around, groups({ replicas: 3, updated: 1 })];
  const serving = (pods: readonly ObservedPod[]) => look(pods, { spec, status: before, children }).state.serving;

  it.each<[string, readonly ObservedPod[], boolean]>([
    ['waits while a group is made again that the added one stands in for', [...full.slice(0, 2), ...surge], true],
    [
      'waits while that group starts',
      [
        ...full.slice(0, 2),
        member(1, 0, { ...ready, ready: false }),
        member(1, 1, { ...ready, ready: false }),
        ...surge,
      ],
      true,
    ],
    ['goes on while the earlier groups are all there', [...full, ...surge], false],
    [
      'goes on where the change before it has no ready group yet',
      [...full, member(2, 0, { ...ready, ready: false })],
      false,
    ],
    [
      'goes on where the group that starts has failed',
      [...full.slice(0, 2), crashed(1, 0, 1, { labels: surge[0]?.labels ?? {}, createdAt: START }), ...surge],
      false,
    ],
    [
      'goes on where the group that starts finds no node',
      [
        ...full.slice(0, 2),
        member(1, 0, {
          ...ready,
          ready: false,
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '' }],
        }),
        ...surge,
      ],
      false,
    ],
    ['goes on where no rollout is under way', full.slice(0, 3), false],
  ])('%s', (_, pods, waits) => {
    expect(serving(pods)).toEqual(waits ? grouped : undefined);
  });

  const replacing = [...full.slice(0, 2), ...surge];

  it('says that it waits, and how not to', () => {
    const { status } = look(replacing, { spec, status: before, children });
    expect(conditionOf(status, 'Progressing')).toBe('True RollingOut');
    expect(messageOf(status, 'Progressing')).toContain('with rollout.maxUnavailable: 1 it does not wait');
  });

  it.each([{ maxUnavailable: 1 }, { maxSurge: 0, maxUnavailable: 1 }])('does not wait with %j', (rollout) => {
    const { state } = look(replacing, { spec: { ...spec, rollout }, status: before, children });
    expect(state).not.toHaveProperty('serving');
  });
});

describe('where replicas of one pod are followed by those of several', () => {
  const single = { ...grouped, nodes: 1 };
  const running: ModelServingStatus = { ...look(full).status, served: { spec: single } };
  const old = [server(single), server(single, { name: 'llama-server-2', uid: 'uid-2' })];
  const both = [...around, deployment({ desired: 2 }), groups()];
  const starting = full.map((pod) => ({ ...pod, conditions: [] }));

  it('the earlier ones stay until all of the others are ready', () => {
    const { status, state } = look([...old, ...starting], { status: running, children: both });
    expect(state.standing).toEqual(single);
    expect(status.served).toEqual({ spec: single });
    expect(conditionOf(status, 'Available')).toBe('True Available');
    expect(conditionOf(status, 'Progressing')).toBe('True RollingOut');
    expect(status.readyReplicas).toBe(2);
  });

  it('they stay before there is anything of the others', () => {
    const { status, state } = look(old, { status: running, children: [...around, deployment({ desired: 2 })] });
    expect(state.standing).toEqual(single);
    expect(conditionOf(status, 'Available')).toBe('True Available');
  });

  it('they go once the others are', () => {
    const { status, state } = look([...old, ...full], { status: running, children: both });
    expect(state).not.toHaveProperty('standing');
    expect(status.served).toEqual({ spec: grouped });
    expect(conditionOf(status, 'Ready')).toBe('True Ready');
  });

  it('they go first where nothing may surge', () => {
    const spec = { ...grouped, rollout: { maxSurge: 0 } };
    const { state } = look([...old, ...starting], { spec, status: running, children: both });
    expect(state).not.toHaveProperty('standing');
  });

  it('a change back leaves what serves as it is', () => {
    const { status, state } = look([...old, ...starting], { spec: single, status: running, children: both });
    expect(state).not.toHaveProperty('standing');
    expect(conditionOf(status, 'Available')).toBe('True Available');
  });
});
