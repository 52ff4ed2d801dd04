import { describe, expect, it } from 'vitest';
import type { RoleName } from '../../../../constructs/distributed-training/roles.ts';
import type { DistributedTrainingSpecInput } from '../../../../constructs/distributed-training/spec.ts';
import { distributedTraining } from '../../../../operator/kinds/distributed-training/index.ts';
import type { DistributedTrainingState } from '../../../../operator/kinds/distributed-training/index.ts';
import {
  MINUTE,
  START,
  butFor,
  container,
  decide,
  ended,
  firstIsGone,
  job,
  pod,
  pods,
  resourceOf,
  conditionOf,
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
    ['Running while some have succeeded', spec, [first], butFor(pods(first), 1, ended(0)), 'Running', 'True Running'],
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
    expect(conditionOf(status, 'Running')).toBe(running);
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

describe('suspending', () => {
  const suspended = specOf({ suspend: true });

  it('ends an attempt that runs, uncharged, and starts the next one, with no pause, when it is resumed', () => {
    const running = resourceOf(suspended, { status: statusOf(1), generation: 2 });
    const { status, state } = decide({ resource: running, children: [job(suspended)], pods: pods(first) });
    expect(status).toMatchObject({ phase: 'Suspended', attempt: 2, failures: 0, attempts: [{ reason: 'Suspended' }] });
    expect(status.resumedAt).toBeUndefined();
    expect(conditionOf(status, 'Suspended')).toBe('True Suspending');
    expect(state).toEqual({ attempt: 2, lifecycle: 'stopped' });

    const answers = firstIsGone;
    const still = decide({ resource: resourceOf(suspended, { status, generation: 2 }), answers }, START + MINUTE);
    expect(still.state).toEqual({ attempt: 2 });
    expect(conditionOf(still.status, 'Suspended')).toBe('True Suspended');

    const resumed = decide(
      { resource: resourceOf(spec, { status: still.status, generation: 3 }), answers },
      START + MINUTE,
    );
    expect(resumed.state).toEqual({ attempt: 2 });
    expect(resumed.status.phase).toBe('Pending');
    expect(conditionOf(resumed.status, 'Suspended')).toBe('False Resumed');
  });

  it('starts nothing where it is so from the beginning', () => {
    const { status, state } = decide({ resource: resourceOf(suspended) });
    expect(status).toMatchObject({ phase: 'Suspended', attempt: 1 });
    expect(state).toEqual({ attempt: 1 });
    const jobs = distributedTraining
      .render(resourceOf(suspended), state)
      .filter(({ manifest }) => manifest.kind === 'Job' || manifest.kind === 'PodDisruptionBudget');
    expect(jobs.map(({ manifest }) => manifest['spec'])).toMatchObject([{ suspend: true }]);
  });
});

describe('the Job of a training in a queue', () => {
  const queued = specOf({ queue: 'team-a' });
  const resting = specOf({ queue: 'team-a', suspend: true });
  const held = job(queued, 1, 'worker', { suspended: true });
  const ours = job(queued, 1, 'worker', { suspended: true, owns: ['spec.suspend'] });
  const over = { ...ours, ...job(queued, 1, 'worker', { condition: { type: 'Complete' } }) };

  it.each([
    ['makes way for another when its user suspends it', resting, held, [], ['worker']],
    ['stays while it is suspended', resting, ours, [], []],
    ['makes way for another when its user resumes it', queued, ours, [], ['worker']],
    ['stays while it waits for its turn', queued, held, [], []],
    ['stays with its pods, which end the attempt', queued, ours, pods(ours), []],
    ['stays once it has ended', queued, over, [], []],
    ['is resumed in place without a queue', spec, ours, [], []],
  ])('%s', (_, of, live, observed, replaced) => {
    const resource = resourceOf(of, { status: statusOf(1) });
    expect(decide({ resource, children: [live], pods: observed }).replace ?? []).toEqual(replaced);
  });

  it('is in the queue unless its user has suspended it', () => {
    const labelOf = (of: typeof spec) =>
      distributedTraining.render(resourceOf(of), { attempt: 1 }).find(({ manifest: { kind } }) => kind === 'Job')
        ?.manifest.metadata.labels?.['kueue.x-k8s.io/queue-name'];
    expect([labelOf(queued), labelOf(resting)]).toEqual(['team-a', undefined]);
  });
});

describe('a training in a queue that is over', () => {
  const agent = container({ name: 'log-agent' });
  const beside = (code: number) => ({
    ...ended(code),
    phase: 'Running',
    containers: [...(ended(code).containers ?? []), agent],
  });
  const frameworks: readonly [string, Partial<DistributedTrainingSpecInput>, RoleName, readonly RoleName[]][] = [
    ['pytorch', { replicas: 1 }, 'worker', []],
    ['mpi', { framework: 'mpi', replicas: 1 }, 'launcher', ['worker']],
    [
      'tensorflow',
      { framework: 'tensorflow', replicas: 1, tensorflow: { parameterServers: 1 } },
      'chief',
      ['worker', 'ps'],
    ],
  ];
  const ways: readonly [string, number, { readonly type: string; readonly reason?: string } | undefined, string][] = [
    ['succeeded beside a container that lives on', 0, undefined, 'True Completed'],
    ['succeeded, and its Job knows', 0, { type: 'Complete' }, 'True Completed'],
    ['failed for the last time, and its Job would try again', 1, undefined, 'True RetryLimitExceeded'],
    ['failed for the last time, and its Job ends', 1, { type: 'FailureTarget' }, 'True RetryLimitExceeded'],
  ];
  const cases = frameworks.flatMap(([name, ...framework]) =>
    ways.map((way) => [name, way[0], framework, way] as const),
  );
  const jobsOf = (of: typeof spec, state: DistributedTrainingState) =>
    distributedTraining
      .render(resourceOf(of), state)
      .flatMap(({ manifest, unmanagedFields }) => (manifest.kind === 'Job' ? [{ manifest, unmanagedFields }] : []));

  it.each(cases)(
    'keeps of its Jobs those that end by themselves (%s, %s)',
    (_, __, [over, leading, others], [, code, condition, expected]) => {
      const of = specOf({ queue: 'team-a', retry: { limit: 0 }, ...over });
      const lead = job(of, 1, leading, condition ? { condition } : {});
      const children = [lead, ...others.map((role) => job(of, 1, role))];
      const running = others.map((role) => pod(job(of, 1, role), 0, {}, role));
      const observed = {
        resource: resourceOf(of, { status: statusOf(1) }),
        children,
        pods: [pod(lead, 0, beside(code), leading), ...running],
      };
      const now = START + 60 * MINUTE;
      const { status, state, statusFirst } = decide(observed, now);
      expect(conditionOf(status, code === 0 ? 'Complete' : 'Failed')).toBe(expected);
      expect(statusFirst, 'the end is in the status before a Job goes').toBe(true);
      const kept = jobsOf(of, state);
      expect(kept.map(({ manifest }) => manifest.metadata.name)).toEqual(condition ? [lead.name] : []);
      for (const { manifest, unmanagedFields } of kept) {
        expect(manifest.metadata.labels, 'Kueue learns of the end from the Job').toHaveProperty([
          'kueue.x-k8s.io/queue-name',
        ]);
        expect(manifest['spec']).not.toHaveProperty('suspend');
        expect(unmanagedFields).toEqual(['spec.suspend']);
      }

      const left = children.filter(({ name }) => kept.some(({ manifest }) => manifest.metadata.name === name));
      const after = decide({ resource: resourceOf(of, { status }), children: left }, now + MINUTE);
      expect(jobsOf(of, after.state), 'nothing is created again').toHaveLength(left.length);
      expect(after.status).toMatchObject({
        phase: status.phase,
        completionTime: status.completionTime,
        workerStatuses: status.workerStatuses,
      });
    },
  );

  it('has its Jobs suspended as without a queue, where Kueue does not look at them', () => {
    const gang = specOf({ queue: 'team-a', gang: { scheduler: 'volcano' } });
    expect(jobsOf(gang, { lifecycle: 'failed' }).map(({ manifest }) => manifest['spec'])).toMatchObject([
      { suspend: true },
    ]);
  });
});

describe('a key for MPI', () => {
  it('is made before the first Job, where the spec names no Secret', () => {
    const mpi = specOf({ framework: 'mpi', command: ['mpirun'] });
    expect(decide({ resource: resourceOf(mpi) }).makeSecrets).toEqual([{ name: 'resnet-ssh', by: 'ssh-key' }]);
    const children = [job(mpi, 1, 'worker'), job(mpi, 1, 'launcher')];
    expect(decide({ resource: resourceOf(mpi), children }).makeSecrets).toBeUndefined();
    const named = specOf({ framework: 'mpi', command: ['mpirun'], mpi: { sshSecretName: 'mine' } });
    expect(decide({ resource: resourceOf(named) }).makeSecrets).toBeUndefined();
  });
});
