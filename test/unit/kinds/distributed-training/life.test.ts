import { describe, expect, it } from 'vitest';
import type { DistributedTrainingSpecInput } from '../../../../constructs/distributed-training/spec.ts';
import { distributedTraining } from '../../../../operator/kinds/distributed-training/index.ts';
import {
  MINUTE,
  SECOND,
  START,
  butFor,
  container,
  decide,
  disrupted,
  ended,
  job,
  pod,
  pods,
  resourceOf,
  said,
  sentence,
  specOf,
  statusOf,
} from './support.ts';

const spec = specOf();
const first = job(spec);
const done = job(spec, 1, 'worker', { condition: { type: 'Complete' } });

describe('the phase', () => {
  const queued = specOf({ queue: 'team-a' });
  const suspended = specOf({ suspend: true });
  it.each([
    ['Pending before anything is there', spec, [], [], 'Pending', 'False Starting'],
    ['Pending while ranks start', spec, [first], pods(first, 4, { phase: 'Pending' }), 'Pending', 'False Starting'],
    ['Pending while one is missing', spec, [first], pods(first, 3), 'Pending', 'False Starting'],
    ['Running with all of them', spec, [first], pods(first), 'Running', 'True Running'],
    ['Running while some have ended well', spec, [first], butFor(pods(first), 1, ended(0)), 'Running', 'True Running'],
    [
      'Queued while Kueue holds the Job',
      queued,
      [job(queued, 1, 'worker', { suspended: true })],
      [],
      'Queued',
      'False Queued',
    ],
    [
      'Suspended with no pod',
      suspended,
      [job(suspended, 1, 'worker', { suspended: true })],
      [],
      'Suspended',
      'False Suspended',
    ],
    ['Completed', spec, [done], pods(done, 4, ended(0)), 'Completed', 'False Completed'],
  ])('is %s', (_, of, children, observed, phase, running) => {
    const { status } = decide({ resource: resourceOf(of, { status: statusOf(1) }), children, pods: observed });
    expect(status.phase).toBe(phase);
    expect(said(status, 'Running')).toBe(running);
  });

  it('is Running with the fewest ranks, where they may come and go', () => {
    const elastic = specOf({ elastic: { minReplicas: 2, maxReplicas: 8 } });
    const owner = job(elastic);
    const some = pods(owner, 2);
    const rest = [2, 3].map((rank) => pod(owner, rank, { phase: 'Pending' }));
    const { status } = decide({ resource: resourceOf(elastic), children: [owner], pods: [...some, ...rest] });
    expect(status.phase).toBe('Running');
  });
});

describe('what keeps ranks from running', () => {
  const waiting = (reason: string, message: string) =>
    butFor(pods(first), 2, {
      phase: 'Pending',
      containers: [container({ ready: false, started: false, waiting: { reason, message } })],
    });
  const lacking =
    '0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.';
  const unscheduled = pods(first, 4, {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: lacking }],
  });
  const gpus = specOf({ resources: { gpu: 64 } });
  const onGpus = job(gpus);

  it.each([
    ['an image that can not be pulled', waiting('ImagePullBackOff', 'not found'), 'False ImagePullFailed'],
    [
      'a Secret that is missing',
      waiting('CreateContainerConfigError', 'secret "x" not found'),
      'False ReferenceMissing',
    ],
  ])('is told: %s', (_, observed, words) => {
    const { status } = decide({ resource: resourceOf(spec), children: [first], pods: observed });
    expect(said(status, 'Running')).toBe(words);
    expect(status).toMatchObject({ phase: 'Pending', failures: 0 });
  });

  it('is told: no such GPU', () => {
    const all = unscheduled.map((each, rank) => ({
      ...pod(onGpus, rank),
      phase: each.phase,
      conditions: each.conditions,
    }));
    const { status } = decide({ resource: resourceOf(gpus), children: [onGpus], pods: all });
    expect(said(status, 'Running')).toBe('False NoSuchGPU');
  });

  it('is told: pods that are refused, once their Job had a minute', () => {
    const early = decide({ resource: resourceOf(spec), children: [first] }, START + 59 * SECOND);
    expect(said(early.status, 'Running')).toBe('False Starting');
    expect(early.wakeAt).toBe(START + MINUTE);
    const late = decide({ resource: resourceOf(spec), children: [first] }, START + MINUTE);
    expect(said(late.status, 'Running')).toBe('False PodsNotCreated');
  });

  it('is told: a child that can not be made', () => {
    const problems = [{ child: 'worker', reason: 'NameTaken', message: 'Job resnet-1 exists' }];
    const { status } = decide({ resource: resourceOf(spec), problems });
    expect(said(status, 'Running')).toBe('False NameTaken');
  });

  it('is told: a child that the API server refuses, also while it is suspended, and while it runs', () => {
    const refused = (child: string) => [{ child, reason: 'Invalid', message: 'spec.template: Invalid value' }];
    const suspended = resourceOf(specOf({ suspend: true }));
    const rests = decide({ resource: suspended, problems: refused('worker') }).status;
    expect(rests.phase).toBe('Suspended');
    expect(said(rests, 'Running')).toBe('False Invalid');
    expect(sentence(rests, 'Running')).toContain('spec.template');
    const observed = { resource: resourceOf(spec, { status: statusOf(1) }), children: [first], pods: pods(first) };
    const runs = decide({ ...observed, problems: refused('disruption-budget') }).status;
    expect(runs.phase).toBe('Running');
    expect(said(runs, 'Running')).toBe('True Invalid');
    expect(sentence(runs, 'Running')).toContain('The disruption-budget could not be brought up to date');
  });

  it('is told: a Secret for checkpoints that is not there', () => {
    const saving = specOf({ checkpoint: { uri: 's3://checkpoints', credentials: { secretName: 'writer' } } });
    const { asks } = decide({ resource: resourceOf(saving) });
    expect(asks).toContainEqual({ id: 'secret/writer', type: 'secret', name: 'writer', keys: [], everySeconds: 60 });
    const facts = { 'secret/writer': { at: START, type: 'secret', exists: false, hash: '', missingKeys: [] } } as const;
    const { status } = decide({ resource: resourceOf(saving), facts });
    expect(said(status, 'Running')).toBe('False ReferenceMissing');
    expect(sentence(status, 'Running')).toMatch(/checkpoint\.credentials\.secretName/);
    const anew = decide({ resource: resourceOf(saving, { status }) });
    expect(anew.status, 'an operator that has not looked yet').toEqual(status);
  });

  it.each([
    [{ gang: { scheduler: 'volcano' } }, ['PodGroup.v1beta1'], 'False VolcanoNotInstalled'],
    [{ queue: 'team-a' }, ['LocalQueue.v1beta1', 'LocalQueue.v1beta2'], 'False KueueNotInstalled'],
  ] as const)('is told: what is not installed (%j)', (over: Partial<DistributedTrainingSpecInput>, types, words) => {
    const of = specOf(over);
    const served = (is: (type: string) => boolean) =>
      Object.fromEntries(
        types.map((type) => [`served/${type}`, { at: START, type: 'served', served: is(type) } as const]),
      );
    for (const any of types) {
      const { status } = decide({ resource: resourceOf(of), facts: served((type) => type === any) });
      expect(said(status, 'Running'), `${any} will do`).toBe('False Starting');
    }
    const { status } = decide({ resource: resourceOf(of), facts: served(() => false) });
    expect(said(status, 'Running')).toBe(words);
    const anew = decide({ resource: resourceOf(of, { status }) });
    expect(anew.status, 'an operator that has not looked yet').toEqual(status);
  });
});

describe('suspending', () => {
  const suspended = specOf({ suspend: true });

  it('ends an attempt that runs, uncharged, and starts the next one, with no pause, when it is resumed', () => {
    const running = resourceOf(suspended, { status: statusOf(1), generation: 2 });
    const { status, runtime } = decide({ resource: running, children: [job(suspended)], pods: pods(first) });
    expect(status).toMatchObject({ phase: 'Suspended', attempt: 2, failures: 0, attempts: [{ reason: 'Suspended' }] });
    expect(status.resumedAt).toBeUndefined();
    expect(said(status, 'Suspended')).toBe('True Suspending');
    expect(runtime).toEqual({ attempt: 2, lifecycle: 'stopped' });

    const still = decide({ resource: resourceOf(suspended, { status, generation: 2 }) }, START + MINUTE);
    expect(still.runtime).toEqual({ attempt: 2 });
    expect(said(still.status, 'Suspended')).toBe('True Suspended');

    const resumed = decide({ resource: resourceOf(spec, { status: still.status, generation: 3 }) }, START + MINUTE);
    expect(resumed.runtime).toEqual({ attempt: 2 });
    expect(resumed.status.phase).toBe('Pending');
    expect(said(resumed.status, 'Suspended')).toBe('False Resumed');
  });

  it('starts nothing where it is so from the beginning', () => {
    const { status, runtime } = decide({ resource: resourceOf(suspended) });
    expect(status).toMatchObject({ phase: 'Suspended', attempt: 1 });
    expect(runtime).toEqual({ attempt: 1 });
    const jobs = distributedTraining
      .render(resourceOf(suspended), runtime)
      .filter(({ manifest }) => manifest.kind === 'Job' || manifest.kind === 'PodDisruptionBudget');
    expect(jobs.map(({ manifest }) => manifest['spec'])).toMatchObject([{ suspend: true }]);
  });
});

describe('an end', () => {
  it('that is good is the end of the leading role, and stops the others', () => {
    const mpi = specOf({ framework: 'mpi', replicas: 2, mpi: { sshSecretName: 'key' } });
    const workers = job(mpi, 1, 'worker');
    const launcher = job(mpi, 1, 'launcher', { condition: { type: 'Complete' } });
    const { status, runtime, recordFirst } = decide(
      { resource: resourceOf(mpi, { status: statusOf(1) }), children: [workers, launcher], pods: pods(workers, 2) },
      START + MINUTE,
    );
    expect(status).toMatchObject({ phase: 'Completed', completionTime: '2026-01-01T00:01:00Z', replicas: 2 });
    expect(runtime).toEqual({ attempt: 1, lifecycle: 'completed' });
    expect(recordFirst).toBe(true);
    const suspended = distributedTraining
      .render(resourceOf(mpi), runtime)
      .flatMap(({ id, manifest }) => ((manifest['spec'] as { suspend?: boolean } | undefined)?.suspend ? [id] : []));
    expect(suspended).toEqual(['worker']);
  });

  it('is not looked into again, whatever happens to its Job and to the spec', () => {
    const { status } = decide({
      resource: resourceOf(spec, { status: statusOf(1) }),
      children: [done],
      pods: pods(done, 4, ended(0)),
    });
    const changed = resourceOf(specOf({ image: 'other:1', suspend: true }), { status, generation: 1 });
    for (const children of [[done], []]) {
      const later = decide({ resource: changed, children }, START + MINUTE);
      expect(later.status).toEqual(status);
      expect(later.runtime).toEqual({ attempt: 1, lifecycle: children.length > 0 ? 'completed' : 'stopped' });
      expect(later).toMatchObject({ asks: [] });
    }
  });

  it('comes with the deadline, over all attempts, counted from the last resume', () => {
    const limited = specOf({ activeDeadlineSeconds: 600 });
    const owner = job(limited, 3);
    const status = statusOf(3, { resumedAt: '2026-01-01T00:00:00Z' });
    const look = (now: number) =>
      decide({ resource: resourceOf(limited, { status }), children: [owner], pods: pods(owner) }, now);
    expect(look(START + 599 * SECOND)).toMatchObject({ status: { phase: 'Running' }, wakeAt: START + 600 * SECOND });
    const over = look(START + 600 * SECOND);
    expect(over.status).toMatchObject({ phase: 'Failed', failures: 0 });
    expect(said(over.status, 'Failed')).toBe('True DeadlineExceeded');
    expect(over.runtime).toEqual({ attempt: 3, lifecycle: 'failed' });
    const between = decide({ resource: resourceOf(limited, { status }) }, START + 600 * SECOND);
    expect(between.runtime).toEqual({ attempt: 3, lifecycle: 'stopped' });
  });

  it('comes with the deadline of its Job, which counts for itself', () => {
    const limited = specOf({ activeDeadlineSeconds: 600 });
    const over = job(limited, 1, 'worker', { condition: { type: 'Failed', reason: 'DeadlineExceeded' } });
    const { status } = decide({ resource: resourceOf(limited, { status: statusOf(1) }), children: [over] });
    expect(said(status, 'Failed')).toBe('True DeadlineExceeded');
  });

  it('does not count the time in a queue', () => {
    const queued = specOf({ activeDeadlineSeconds: 600, queue: 'team-a' });
    const held = job(queued, 1, 'worker', { suspended: true });
    const status = statusOf(1, { resumedAt: '2026-01-01T00:00:00Z' });
    const later = decide({ resource: resourceOf(queued, { status }), children: [held] }, START + 3600 * SECOND);
    expect(later.status.phase).toBe('Queued');
    expect(later.status.resumedAt).toBeUndefined();
  });

  it('is followed by that of the resource, when its time is over and its end is in its status', () => {
    const brief = specOf({ ttlSecondsAfterFinished: 60 });
    const complete = job(brief, 1, 'worker', { condition: { type: 'Complete' } });
    const fresh = decide({ resource: resourceOf(brief, { status: statusOf(1) }), children: [complete] }, START);
    expect(fresh.expire).toBeUndefined();
    const look = (now: number) =>
      decide({ resource: resourceOf(brief, { status: fresh.status }), children: [complete] }, now);
    expect(look(START + 59 * SECOND)).toMatchObject({ wakeAt: START + MINUTE });
    expect(look(START + 59 * SECOND).expire).toBeUndefined();
    expect(look(START + MINUTE).expire).toBe(true);
  });
});

describe('an elastic training', () => {
  const elastic = specOf({ elastic: { minReplicas: 2, maxReplicas: 8 } });
  const owner = job(elastic);
  const look = (observed: ReturnType<typeof pods>, of = elastic) =>
    decide({ resource: resourceOf(of, { status: statusOf(1) }), children: [owner], pods: observed });

  it('goes on while enough ranks are left, the first among them', () => {
    const gone = disrupted('PreemptionByScheduler');
    expect(look(butFor(butFor(pods(owner), 3, gone), 2, gone)).status.attempts).toBeUndefined();
    const tooFew = butFor(butFor(butFor(pods(owner), 3, gone), 2, gone), 1, gone);
    expect(look(tooFew).status.attempts).toMatchObject([{ reason: 'Preempted', charged: 0 }]);
    expect(look(butFor(pods(owner), 0, gone)).status.attempts).toMatchObject([{ rank: 0 }]);
  });

  it('ends its attempt where a program fails', () => {
    expect(look(butFor(pods(owner), 3, ended(1))).status.attempts).toMatchObject([{ reason: 'ProgramFailed' }]);
  });

  it('is made smaller and larger without a new attempt', () => {
    const smaller = specOf({ replicas: 2, elastic: { minReplicas: 2, maxReplicas: 8 } });
    const leaving = [2, 3].map((rank) => pod(owner, rank, { deleting: true, goneBy: START }));
    const { status, runtime } = look([...pods(owner, 2), ...leaving], smaller);
    expect(status.attempts).toBeUndefined();
    expect(runtime).toEqual({ attempt: 1 });
    const rendered = distributedTraining.render(resourceOf(smaller), runtime).find(({ id }) => id === 'worker');
    expect(rendered?.manifest['spec']).toMatchObject({ completions: 2, parallelism: 2 });
  });
});

describe('a key for MPI', () => {
  it('is made before the first Job, where the spec names no Secret', () => {
    const mpi = specOf({ framework: 'mpi', command: ['mpirun'] });
    expect(decide({ resource: resourceOf(mpi) }).sshKeys).toEqual(['resnet-ssh']);
    const children = [job(mpi, 1, 'worker'), job(mpi, 1, 'launcher')];
    expect(decide({ resource: resourceOf(mpi), children }).sshKeys).toBeUndefined();
    const named = specOf({ framework: 'mpi', command: ['mpirun'], mpi: { sshSecretName: 'mine' } });
    expect(decide({ resource: resourceOf(named) }).sshKeys).toBeUndefined();
  });
});

describe('a spec that can not work', () => {
  it('is told, and forgets nothing', () => {
    const status = statusOf(3, { failures: 2, attempts: [{ number: 1, reason: 'X', charged: 1, finishedAt: '' }] });
    const refused = distributedTraining.refuse(resourceOf(spec, { status }), 'spec.x: no', START);
    expect(refused).toMatchObject({ phase: 'Failed', attempt: 3, failures: 2, attempts: [{ number: 1 }] });
    expect(said(refused, 'Accepted')).toBe('False InvalidSpec');
    expect(said(refused, 'Failed')).toBe('False InvalidSpec');
  });
});

describe('the lines of workers', () => {
  it('tell failed and slow ranks first, and are never too many', () => {
    const many = specOf({ replicas: 200 });
    const owner = job(many);
    const all = butFor(butFor(pods(owner, 200), 150, { phase: 'Pending' }), 180, { deleting: true, goneBy: START });
    const ending = job(many, 1, 'worker', { condition: { type: 'SuccessCriteriaMet' } });
    const { status } = decide({ resource: resourceOf(many), children: [ending], pods: all });
    expect(status.workerStatuses).toHaveLength(32);
    expect(status.workerStatuses?.slice(0, 3)).toMatchObject([
      { rank: 180, phase: 'Terminating' },
      { rank: 150, phase: 'Pending' },
      { rank: 0, phase: 'Running', node: 'gpu-0', pod: 'resnet-1-0-abcde' },
    ]);
    expect(status).toMatchObject({ replicas: 199, readyReplicas: 198 });
  });
});
