import { describe, expect, it } from 'vitest';
import type { ObservedContainer, ObservedPod } from '../../../../operator/engine/api/observed.ts';
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
  conditionOf,
  messageOf,
  specOf,
  statusOf,
} from './support.ts';

const spec = specOf({ replicas: 2 });
const owner = job(spec);

/** The containers of a pod end at START; reconcile looks a minute later unless it is told otherwise. */
const LATER = START + 60 * SECOND;

const stopped = (name: string, exitCode: number, reason = exitCode === 0 ? 'Completed' : 'Error') => {
  const { running: _, ...rest } = container({ name, ready: false, started: false });
  const end = { exitCode, reason, message: `${name} says bye`, finishedAt: '2026-01-01T00:00:00Z' };
  return { ...rest, terminated: end } satisfies ObservedContainer;
};
const runs = (name: string, over: Partial<ObservedContainer> = {}) => container({ name, ...over });
const native = (it: ObservedContainer): ObservedContainer => ({ ...it, init: true, sidecar: true });
const waits = (name: string, reason: string, message = ''): ObservedContainer => {
  const { running: _, ...rest } = container({ name, ready: false, started: false });
  return { ...rest, waiting: { reason, message } };
};

const all = (phase: string, ...containers: ObservedContainer[]): ObservedPod[] => pods(owner, 2, { phase, containers });

const observe = (
  observed: readonly ObservedPod[],
  { now = LATER, of = spec, children = [owner] }: { now?: number; of?: typeof spec; children?: (typeof owner)[] } = {},
) => decide({ resource: resourceOf(of, { status: statusOf(1) }), children, pods: observed }, now);

const log = 'log-agent';
const done = stopped('trainer', 0);
const failed = stopped('trainer', 3);
const oom = stopped('trainer', 137, 'OOMKilled');
const stopped137 = stopped(log, 137);

describe('the container trainer is the rank', () => {
  it.each<[string, ObservedPod[], string]>([
    ['0, and a container beside it runs on', all('Running', done, runs(log)), 'Completed'],
    ['0, and a container beside it can not start', all('Pending', done, waits(log, 'ImagePullBackOff')), 'Completed'],
    ['0, and one beside it ended with 137 after it', all('Failed', done, stopped(log, 137)), 'Completed'],
    ['0, and one beside it was OOM-killed', all('Failed', done, stopped(log, 137, 'OOMKilled')), 'Completed'],
    ['0, and one of several runs on', all('Running', stopped(log, 1), done, runs('mesh')), 'Completed'],
    [
      '0, beside a native sidecar that was killed',
      all('Failed', native(stopped('mesh', 137)), done, stopped(log, 1)),
      'Completed',
    ],
    ['3, and a container beside it runs on', all('Running', failed, runs(log)), 'ProgramFailed 3'],
    [
      '3, and a container beside it can not start',
      all('Pending', failed, waits(log, 'ErrImagePull')),
      'ProgramFailed 3',
    ],
    ['3, and one beside it ended with 137 before it', all('Failed', stopped(log, 137), failed), 'ProgramFailed 3'],
    ['3, and one beside it ended with 0', all('Failed', stopped(log, 0), failed), 'ProgramFailed 3'],
    ['137 OOM-killed, and one beside it runs on', all('Running', oom, runs(log)), 'OutOfMemory 137'],
    [
      '3, beside a native sidecar that was killed',
      all('Failed', native(stopped('mesh', 137)), failed),
      'ProgramFailed 3',
    ],
    ['nothing yet, and one beside it ended with 1', all('Running', runs('trainer'), stopped(log, 1)), 'runs'],
    ['nothing yet, and one beside it ended with 0', all('Running', runs('trainer'), stopped(log, 0)), 'runs'],
    [
      'nothing yet, and one beside it can not start',
      all('Pending', runs('trainer'), waits(log, 'ErrImagePull')),
      'runs',
    ],
  ])('with exit code %s', (_, observed, expected) => {
    const { status, state } = observe(observed);
    const [attempt] = status.attempts ?? [];
    if (expected === 'Completed') {
      expect(conditionOf(status, 'Complete')).toBe('True Completed');
      expect(status.failures).toBe(0);
      expect(status.workerStatuses).toMatchObject([{ phase: 'Succeeded', exitCode: 0 }, { exitCode: 0 }]);
      expect(state, 'the Job would not end by itself').toEqual({ attempt: 1, lifecycle: 'failed' });
    } else if (expected === 'runs') {
      expect(attempt).toBeUndefined();
      expect(status.phase).toBe('Running');
    } else {
      expect(`${attempt?.reason} ${attempt?.exitCode}`).toBe(expected);
      expect(attempt).toMatchObject({ charged: 1 });
      expect(attempt?.message, 'the words of the trainer').toContain('trainer says bye');
    }
  });

  it('and its pod is given ten seconds to end after it', () => {
    const early = observe(all('Running', failed, runs(log)), { now: START + 9 * SECOND });
    expect(early.status).toMatchObject({ phase: 'Running' });
    expect(early.status.attempts).toBeUndefined();
    expect(early.requeueAt).toBe(START + 10 * SECOND);
    expect(observe(all('Running', failed, runs(log)), { now: START + 10 * SECOND }).status.attempts).toHaveLength(1);
  });

  it('and a node whose clock is an hour ahead delays nothing', () => {
    const ahead = { ...failed, terminated: { ...failed.terminated, finishedAt: '2026-01-01T01:00:00Z' } };
    expect(observe(all('Running', ahead, runs(log)), { now: START }).status.attempts).toHaveLength(1);
  });

  it('and native sidecars are left to the kubelet, which ends the pod', () => {
    const { status, requeueAt } = observe(all('Running', native(runs('mesh')), done));
    expect(conditionOf(status, 'Complete')).toBe('False Unfinished');
    expect(requeueAt).toBeUndefined();
  });

  it('and all ranks must have succeeded, whichever way', () => {
    const observed = [pod(owner, 0, ended(0)), pod(owner, 1, { containers: [done, runs(log)] })];
    expect(conditionOf(observe(observed).status, 'Complete')).toBe('True Completed');
    const one = [pod(owner, 0), pod(owner, 1, { containers: [done, runs(log)] })];
    expect(conditionOf(observe(one).status, 'Complete')).toBe('False Unfinished');
    expect(observe(one).status.phase).toBe('Running');
  });

  it('and a rank whose pod is gone counts by its Job', () => {
    const counted = { ...owner, slice: { ...owner.slice, status: { completedIndexes: '0', conditions: [] } } };
    const left = [pod(owner, 1, { containers: [done, runs(log)] })];
    expect(conditionOf(observe(left, { children: [counted] }).status, 'Complete')).toBe('True Completed');
    expect(conditionOf(observe(left).status, 'Complete')).toBe('False Unfinished');
  });

  it('unless its pod is removed: a program may end with 0 because it was told to stop', () => {
    const taken = { ...disrupted('PreemptionByScheduler'), containers: [done, runs(log)] };
    const { status } = observe(butFor(all('Running', done, runs(log)), 1, taken));
    expect(conditionOf(status, 'Complete')).toBe('False Unfinished');
    expect(status.attempts).toMatchObject([{ reason: 'Preempted', charged: 0 }]);
  });

  it('of which the first speaks for an elastic training', () => {
    const elastic = specOf({ replicas: 2, elastic: { minReplicas: 1, maxReplicas: 4 } });
    const of = job(elastic);
    const observed = [pod(of, 0, { containers: [done, runs(log)] }), pod(of, 1)];
    expect(conditionOf(observe(observed, { of: elastic, children: [of] }).status, 'Complete')).toBe('True Completed');
  });

  it.each([
    ['mpi', 'launcher', { command: ['mpirun', 'train'], mpi: { sshSecretName: 'key' } }],
    ['tensorflow', 'chief', {}],
    ['jax', 'worker', {}],
    ['mxnet', 'worker', {}],
  ] as const)('with %s, whose %s leads', (framework, leading, over) => {
    const of = specOf({ framework, replicas: 1, ...over });
    const jobs = (['worker', 'launcher', 'chief', 'scheduler', 'server'] as const).map((role) => job(of, 1, role));
    const observed = jobs.map((each) =>
      pod(each, 0, each.name === job(of, 1, leading).name ? { containers: [done, runs(log)] } : {}),
    );
    expect(conditionOf(observe(observed, { of, children: jobs }).status, 'Complete')).toBe('True Completed');
  });

  it('and its log is read for the objective before its pod is stopped', () => {
    const measured = specOf({ replicas: 2, objective: { metric: 'loss', goal: 'minimize' } });
    const observed = all('Running', done, runs(log));
    const children = [job(measured)];
    const first = observe(observed, { of: measured, children });
    expect(conditionOf(first.status, 'Complete')).toBe('False Unfinished');
    expect(first.queries).toContainEqual(expect.objectContaining({ type: 'reported', container: 'trainer' }));
    expect(first.state).toEqual({ attempt: 1 });
  });
});

describe('a container beside the trainer', () => {
  it('that dies is reported, and the training continues', () => {
    const { status } = observe(all('Running', runs('trainer'), stopped(log, 137, 'OOMKilled')));
    expect(conditionOf(status, 'Running')).toBe('True SidecarFailed');
    expect(messageOf(status, 'Running')).toBe(
      'All that is needed runs. Container log-agent ended with exit code 137 (OOMKilled): log-agent says bye. The program of rank 0 continues without it. It is not started again. Make it a native sidecar: put it into podTemplate.spec.initContainers with restartPolicy Always.',
    );
  });

  it('that cannot start is reported in the same words, whatever the kubelet says now', () => {
    const words = ['ErrImagePull', 'ImagePullBackOff'].map((reason) => {
      const message = reason === 'ErrImagePull' ? 'not found' : 'Back-off pulling image "x": ErrImagePull: not found';
      return observe(all('Pending', runs('trainer'), waits(log, reason, message))).status.conditions;
    });
    expect(words[0]).toEqual(words[1]);
  });

  it('that is a native sidecar and crashes is reported, and not taken for a lost node', () => {
    const crashing = native({ ...waits('mesh', 'CrashLoopBackOff'), lastTerminated: stopped('mesh', 2).terminated });
    const unready = [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: '' }];
    const observed = all('Running', crashing, runs('trainer')).map((each) => ({ ...each, conditions: unready }));
    expect(messageOf(observe(observed).status, 'Running')).toContain(
      'Container mesh ends again and again with exit code 2',
    );
    const { status } = observe(
      butFor(observed, 1, { phase: 'Failed', containers: [native(stopped('mesh', 0)), failed] }),
    );
    expect(status.attempts).toMatchObject([{ rank: 1, reason: 'ProgramFailed', charged: 1 }]);
  });

  it('that ends badly after its program makes no rank run again', () => {
    const first = pod(owner, 1, { phase: 'Failed', containers: [done, stopped(log, 137)] });
    const again = pod(owner, 1, { name: 'again', uid: 'again', createdAt: START + SECOND, phase: 'Pending' });
    const { status, removePods } = observe([pod(owner, 0), first, again]);
    expect(removePods).toEqual([{ name: 'again', uid: 'again' }]);
    expect(status).toMatchObject({ phase: 'Running', failures: 0 });
    expect(status.attempts).toBeUndefined();
  });

  it('that makes its Job give up is charged, so that the retry limit bounds it', () => {
    const gone = job(spec, 1, 'worker', { condition: { type: 'Failed', reason: 'FailedIndexes', message: 'index 1' } });
    const observed = [pod(owner, 1, { phase: 'Failed', containers: [done, stopped(log, 137)] })];
    const { status } = observe(observed, { children: [gone] });
    expect(status).toMatchObject({ failures: 1, attempts: [{ reason: 'SidecarFailed', charged: 1, rank: 1 }] });
    expect(status.attempts?.[0]?.message).toContain('container log-agent with exit code 137');
    const last = observe(observed, { children: [gone], of: specOf({ replicas: 2, retry: { limit: 0 } }) });
    expect(conditionOf(last.status, 'Failed')).toBe('True RetryLimitExceeded');
    expect(messageOf(last.status, 'Failed')).toContain('container log-agent with exit code 137');
  });

  it('is not blamed for a Job of another role that gives up', () => {
    const mpi = specOf({ framework: 'mpi', replicas: 2 });
    const launcher = job(mpi, 1, 'launcher', { condition: { type: 'Failed', reason: 'FailedIndexes' } });
    const workers = job(mpi, 1, 'worker');
    const spoiled = pod(workers, 1, { phase: 'Failed', containers: [done, stopped(log, 137)] });
    const { status } = observe([spoiled], { of: mpi, children: [launcher, workers] });
    expect(status.attempts).toMatchObject([{ reason: 'JobFailed', charged: 1 }]);
  });
});

describe('an init container that fails', () => {
  it.each([
    ['Error', ''],
    ['OOMKilled', ' (OOMKilled)'],
  ])('is named (%s)', (reason, words) => {
    const prepare = { ...stopped('prepare', 7, reason), init: true };
    const { status } = observe(
      butFor(pods(owner, 2), 1, { phase: 'Failed', containers: [prepare, waits('trainer', 'PodInitializing')] }),
    );
    expect(status.attempts).toMatchObject([
      {
        reason: 'InitContainerFailed',
        exitCode: 7,
        charged: 1,
        message: `Rank 1 on gpu-1 never started: its init container prepare ended with exit code 7${words}: prepare says bye.`,
      },
    ]);
  });
});

describe('a leading role whose programs have succeeded', () => {
  const AT = '2026-01-01T00:00:00Z';
  const at = (second: number) => new Date(START + second * SECOND).toISOString();
  const by = (second: number) => ({ ...done, terminated: { ...done.terminated, finishedAt: at(second) } });
  const limited = specOf({ replicas: 2, activeDeadlineSeconds: 30 });
  const status = statusOf(1, { resumedAt: AT });
  const withDeadline = (observed: readonly ObservedPod[], now: number, of = limited, owners = [job(of)]) =>
    decide({ resource: resourceOf(of, { status }), children: owners, pods: observed }, now);
  const overdue = (type: string) => job(limited, 1, 'worker', { condition: { type, reason: 'DeadlineExceeded' } });
  const going = (second: number) => ({ deleting: true, goesSince: START + second * SECOND, goneBy: START + MINUTE });

  it('before the deadline has kept it, though a container beside them lives on over it', () => {
    const lingering = all('Running', by(25), runs(log));
    const early = withDeadline(lingering, START + 30 * SECOND);
    expect(early.status).toMatchObject({ phase: 'Running' });
    expect(early.requeueAt).toBe(START + 35 * SECOND);
    expect(conditionOf(withDeadline(lingering, START + 35 * SECOND).status, 'Complete')).toBe('True Completed');
    const late = all('Running', by(31), runs(log));
    expect(conditionOf(withDeadline(late, START + 31 * SECOND).status, 'Failed')).toBe('True DeadlineExceeded');
  });

  it.each(['FailureTarget', 'Failed'])(
    'before the deadline has kept it, though its Job stops their pods (%s)',
    (type) => {
      const observe = (second: number) => {
        const stopping = all('Running', by(second), runs(log)).map((each) => ({ ...each, ...going(30) }));
        return withDeadline(stopping, START + 31 * SECOND, limited, [overdue(type)]).status;
      };
      expect(conditionOf(observe(25), 'Complete')).toBe('True Completed');
      expect(conditionOf(observe(30), 'Failed'), 'perhaps since they were told to stop').toBe('True DeadlineExceeded');
      const over137 = all('Failed', by(25), stopped137).map((each) => ({ ...each, ...going(30) }));
      const over = withDeadline(over137, START + 31 * SECOND, limited, [overdue(type)]).status;
      expect(conditionOf(over, 'Complete')).toBe('True Completed');
    },
  );

  it('before the deadline has kept it, also where its log is read after it, or nobody looked in between', () => {
    const measured = specOf({ ...limited, objective: { metric: 'f1', goal: 'maximize' } });
    const complete = job(measured, 1, 'worker', { condition: { type: 'Complete' } });
    const counted = {
      ...complete,
      slice: { ...complete.slice, status: { ...(complete.slice['status'] as object), completionTime: at(29) } },
    };
    const ends = all('Succeeded', by(29));
    for (const second of [31, 3600]) {
      const reading = withDeadline(ends, START + second * SECOND, measured, [counted]);
      expect(reading.status.completionTime).toBeUndefined();
      expect(reading.queries).toContainEqual(expect.objectContaining({ id: 'objective' }));
    }
  });

  it('ends, however one of their pods goes', () => {
    const given = { phase: 'Failed', reason: 'UnexpectedAdmissionError' };
    const { status: over } = withDeadline(butFor(all('Running', by(25), runs(log)), 1, given), START + 30 * SECOND);
    expect(conditionOf(over, 'Failed')).toBe('True DeadlineExceeded');
  });

  it('is followed by no failure that counts, while their pods live on for ten seconds', () => {
    const tf = specOf({ framework: 'tensorflow', replicas: 2 });
    const [worker, chief] = [job(tf, 1, 'worker'), job(tf, 1, 'chief')];
    const observe = (over: Partial<ObservedPod>, leads: Partial<ObservedPod> = {}) => {
      const led = pod(chief, 0, { containers: [done, runs(log)], ...leads }, 'chief');
      const observed = [led, ...butFor(pods(worker, 2), 1, over)];
      return decide(
        { resource: resourceOf(tf, { status: statusOf(1) }), children: [worker, chief], pods: observed },
        START + 5 * SECOND,
      );
    };
    for (const over of [ended(1), disrupted('PreemptionByScheduler'), { deleting: true }]) {
      const early = observe(over);
      expect(early.status.attempts).toBeUndefined();
      expect(early).toMatchObject({ state: { attempt: 1 }, requeueAt: START + 10 * SECOND });
    }
    const taken = observe(ended(1), disrupted('PreemptionByScheduler'));
    expect(taken.status.attempts).toMatchObject([{ reason: 'Preempted', charged: 0 }]);
  });

  it('long before their pods are removed has done its work', () => {
    const taken = { ...disrupted('EvictionByEvictionAPI'), containers: [by(0), runs(log)] };
    const observe = (second: number) =>
      withDeadline(
        all('Running', by(0), runs(log)).map((each) => ({ ...each, ...taken, goesSince: START + second * SECOND })),
        LATER,
        spec,
      ).status;
    expect(conditionOf(observe(11), 'Complete')).toBe('True Completed');
    expect(observe(10).attempts).toMatchObject([{ reason: 'Drained' }]);
    const given = {
      phase: 'Failed',
      reason: 'NodeShutdown',
      containers: [by(0), stopped137],
      goesSince: START + MINUTE,
    };
    const shut = all('Failed').map((each) => ({ ...each, ...disrupted('DeletionByTaintManager'), ...given }));
    expect(conditionOf(withDeadline(shut, LATER, spec).status, 'Complete')).toBe('True Completed');
  });

  it('unless it ended with 0 because it was told to stop, though its pod counts as succeeded', () => {
    const reported = all('Succeeded', done).map((each) => ({
      ...each,
      ...disrupted('PreemptionByScheduler'),
      goesSince: START,
    }));
    expect(observe(reported).status.attempts).toMatchObject([{ reason: 'Preempted', charged: 0 }]);
  });
});
