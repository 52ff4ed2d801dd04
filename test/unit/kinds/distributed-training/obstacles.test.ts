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
  job,
  pod,
  pods,
  resourceOf,
  conditionOf,
  messageOf,
  specOf,
  statusOf,
} from './support.ts';
import { refused } from '../../../support/decided.ts';

const spec = specOf();
const first = job(spec);

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
  ])('is reported: %s', (_, observed, words) => {
    const { status } = decide({ resource: resourceOf(spec), children: [first], pods: observed });
    expect(conditionOf(status, 'Running')).toBe(words);
    expect(status).toMatchObject({ phase: 'Pending', failures: 0 });
  });

  it('is reported: no such GPU', () => {
    const all = unscheduled.map((each, rank) => ({
      ...pod(onGpus, rank),
      phase: each.phase,
      conditions: each.conditions,
    }));
    const observed = { resource: resourceOf(gpus), children: [onGpus], pods: all };
    const { status, queries } = decide(observed);
    expect(conditionOf(status, 'Running')).toBe('False NoSuchGPU');
    // However long nobody says anything of nodes: it costs no attempt, and nodes may still come.
    const query = queries.find(({ type }) => type === 'events');
    const answers = { [query?.id ?? '']: { at: START, type: 'events', events: [] } as const };
    const later = decide({ ...observed, answers }, START + 24 * 60 * MINUTE).status;
    expect(later).toMatchObject({ phase: 'Pending', failures: 0 });
    expect(later.conditions?.find(({ type }) => type === 'Running')?.message).toContain('may still come');
  });

  it('is reported: no such GPU yet, where an autoscaler adds a node', () => {
    const all = unscheduled.map((each, rank) => ({
      ...pod(onGpus, rank),
      phase: each.phase,
      conditions: each.conditions,
    }));
    const observed = { resource: resourceOf(gpus), children: [onGpus], pods: all };
    const query = decide(observed).queries.find(({ type }) => type === 'events');
    const event = { reason: 'Nominated', message: 'Pod should schedule on: nodeclaim/gpu-x7', at: START };
    const answers = { [query?.id ?? '']: { at: START, type: 'events', events: [event] } as const };
    expect(conditionOf(decide({ ...observed, answers }).status, 'Running')).toBe('False WaitingForNode');
  });

  it('is reported: pods that are refused, once their Job had a minute', () => {
    const early = decide({ resource: resourceOf(spec), children: [first] }, START + 59 * SECOND);
    expect(conditionOf(early.status, 'Running')).toBe('False Starting');
    expect(early.requeueAt).toBe(START + MINUTE);
    const late = decide({ resource: resourceOf(spec), children: [first] }, START + MINUTE);
    expect(conditionOf(late.status, 'Running')).toBe('False PodsNotCreated');
  });

  it('is reported: pods that the API server refuses, in its words, seconds after their Job was made', () => {
    const resource = resourceOf(spec);
    const made = decide({ resource, children: [first] }, START);
    expect(made.queries.map(({ type }) => type)).not.toContain('events');
    expect(made.requeueAt).toBe(START + 5 * SECOND);
    const { queries } = decide({ resource, children: [first] }, START + 5 * SECOND);
    const query = queries.find(({ type }) => type === 'events');
    expect(query).toMatchObject({ kind: 'Job', name: first.name, uid: first.uid, everySeconds: 15 });
    const answer = (message?: string) => ({
      [query?.id ?? '']: {
        at: START,
        type: 'events',
        events: message === undefined ? [] : [{ reason: 'FailedCreate', message, at: START }],
      } as const,
    });
    const reported = (message?: string) =>
      decide({ resource, children: [first], answers: answer(message) }, START + 6 * SECOND).status;
    expect(conditionOf(reported(), 'Running')).toBe('False Starting');
    const refused = reported(
      `Error creating: pods "${first.name}-0-" is forbidden: no PriorityClass with name nope was found`,
    );
    expect(conditionOf(refused, 'Running')).toBe('False PodsForbidden');
    expect(messageOf(refused, 'Running')).toBe(
      'The API server refuses the pods: no PriorityClass with name nope was found. Create the PriorityClass nope, or correct priorityClassName.',
    );
  });

  it('is reported: a child that cannot be made', () => {
    const problems = [{ child: 'worker', reason: 'NameTaken', message: 'Job resnet-1 exists' }];
    const { status } = decide({ resource: resourceOf(spec), problems });
    expect(conditionOf(status, 'Running')).toBe('False NameTaken');
  });

  it('is reported: a child that the API server refuses, also while it is suspended, and while it runs', () => {
    const refused = (child: string) => [{ child, reason: 'Invalid', message: 'spec.template: Invalid value' }];
    const suspended = resourceOf(specOf({ suspend: true }));
    const rests = decide({ resource: suspended, problems: refused('worker') }).status;
    expect(rests.phase).toBe('Suspended');
    expect(conditionOf(rests, 'Running')).toBe('False Invalid');
    expect(messageOf(rests, 'Running')).toContain('spec.template');
    const observed = { resource: resourceOf(spec, { status: statusOf(1) }), children: [first], pods: pods(first) };
    const runs = decide({ ...observed, problems: refused('disruption-budget') }).status;
    expect(runs.phase).toBe('Running');
    expect(conditionOf(runs, 'Running')).toBe('True Invalid');
    expect(messageOf(runs, 'Running')).toContain('The disruption-budget could not be updated');
  });

  it('is reported: a Secret for checkpoints that is not there', () => {
    const saving = specOf({ checkpoint: { uri: 's3://checkpoints', credentials: { secretName: 'writer' } } });
    const { queries } = decide({ resource: resourceOf(saving) });
    expect(queries).toContainEqual({ id: 'secret/writer', type: 'secret', name: 'writer', keys: [], everySeconds: 60 });
    const answers = {
      'secret/writer': { at: START, type: 'secret', exists: false, hash: '', missingKeys: [] },
    } as const;
    const { status } = decide({ resource: resourceOf(saving), answers });
    expect(conditionOf(status, 'Running')).toBe('False ReferenceMissing');
    expect(messageOf(status, 'Running')).toMatch(/checkpoint\.credentials\.secretName/);
    const again = decide({ resource: resourceOf(saving, { status }) });
    expect(again.status, 'an operator that has not looked yet').toEqual(status);
  });

  it.each([
    [{ gang: { scheduler: 'volcano' } }, ['PodGroup.v1beta1'], 'False VolcanoNotInstalled'],
    [{ queue: 'team-a' }, ['LocalQueue.v1beta1', 'LocalQueue.v1beta2'], 'False KueueNotInstalled'],
    [{ egress: [{ hosts: ['pypi.org'] }] }, ['CiliumNetworkPolicy.v2'], 'False CiliumNotInstalled'],
  ] as const)(
    'is reported: what is not installed (%j)',
    (over: Partial<DistributedTrainingSpecInput>, types, words) => {
      const of = specOf(over);
      const served = (is: (type: string) => boolean) =>
        Object.fromEntries(
          types.map((type) => [`served/${type}`, { at: START, type: 'served', served: is(type) } as const]),
        );
      for (const any of types) {
        const { status } = decide({ resource: resourceOf(of), answers: served((type) => type === any) });
        expect(conditionOf(status, 'Running'), `${any} will do`).toBe('False Starting');
      }
      const { status } = decide({ resource: resourceOf(of), answers: served(() => false) });
      expect(conditionOf(status, 'Running')).toBe(words);
      const again = decide({ resource: resourceOf(of, { status }) });
      expect(again.status, 'an operator that has not looked yet').toEqual(status);
    },
  );
});

describe('ranks that run', () => {
  it('say that nothing opens their hosts, where Cilium is not installed, and an operator that starts again does too', () => {
    const reaching = specOf({ egress: [{ hosts: ['pypi.org'] }] });
    const ranks = job(reaching);
    const of = (status: object, served?: boolean) =>
      decide({
        resource: resourceOf(reaching, { status: { ...statusOf(1), ...status } }),
        children: [ranks],
        pods: pods(ranks),
        ...(served !== undefined && {
          answers: { 'served/CiliumNetworkPolicy.v2': { at: START, type: 'served', served } as const },
        }),
      }).status;
    const closed = of({}, false);
    expect(closed.phase).toBe('Running');
    expect(conditionOf(closed, 'Running')).toBe('True CiliumNotInstalled');
    expect(conditionOf(of(closed), 'Running')).toBe('True CiliumNotInstalled');
    expect(conditionOf(of(closed, true), 'Running')).toBe('True Running');
  });
});

describe('a spec that is invalid', () => {
  it('is reported, and forgets nothing', () => {
    const status = statusOf(3, { failures: 2, attempts: [{ number: 1, reason: 'X', charged: 1, finishedAt: '' }] });
    const result = refused(distributedTraining, resourceOf(spec, { status }), 'spec.x: no', { now: START });
    expect(result).toMatchObject({ phase: 'Failed', attempt: 3, failures: 2, attempts: [{ number: 1 }] });
    expect(conditionOf(result, 'Accepted')).toBe('False InvalidSpec');
    expect(conditionOf(result, 'Failed')).toBe('False InvalidSpec');
  });
});
