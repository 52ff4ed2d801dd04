import { describe, expect, it, test } from 'vitest';
import type { AgentServiceStatus } from '../../../../constructs/agent-service/status.ts';
import { agentService } from '../../../../operator/kinds/agent-service/index.ts';
import { container, ends } from '../model-serving/support.ts';
import {
  decide,
  deployment,
  minimal,
  pod,
  resourceOf,
  running,
  runningStatus,
  conditionOf,
  messageOf,
  START,
} from './support.ts';
import type { Observed } from './support.ts';
import { refused } from '../../../support/decided.ts';

const MINUTE = 60_000;
const resource = resourceOf(minimal);
const wasRunning = { resource: resourceOf(minimal, { status: runningStatus(minimal) }) };
const stopped = { ...minimal, replicas: 0 };
const stoppedStatus = decide({ resource: resourceOf(stopped), children: running({ desired: 0 }) }).status;
const crashing = pod('agent-1', {
  containers: [
    container('agent', { waiting: { reason: 'CrashLoopBackOff', message: '' }, lastTerminated: ends(1, 'no key') }),
  ],
});

describe('the phase', () => {
  test.each<[AgentServiceStatus['phase'], string, Observed]>([
    ['Pending', 'nothing is made yet', { resource }],
    ['Pending', 'no pod is ready yet', { resource, children: running({ ready: 0 }) }],
    ['Running', 'all pods are ready', { resource, children: running() }],
    ['Scaling', 'there are fewer pods than wanted', { ...wasRunning, children: running({ desired: 3, replicas: 2 }) }],
    ['Scaling', 'there are more pods than wanted', { ...wasRunning, children: running({ desired: 1, replicas: 2 }) }],
    ['Scaling', 'new pods are not ready yet', { ...wasRunning, children: running({ desired: 3, ready: 2 }) }],
    [
      'Updating',
      'pods of the earlier template are there',
      { ...wasRunning, children: running({ updated: 1, ready: 2 }) },
    ],
    ['Stopped', 'no pods are wanted', { resource: resourceOf(stopped), children: running({ desired: 0 }) }],
    [
      'Scaling',
      'it was stopped, and pods are wanted again',
      { resource: resourceOf(minimal, { status: stoppedStatus }), children: running({ desired: 2, replicas: 0 }) },
    ],
    ['Error', 'its pods crash', { resource, children: running({ ready: 0 }), pods: [crashing] }],
    [
      'Updating',
      'pods of a new template crash, while those of the earlier one work on',
      { ...wasRunning, children: running({ replicas: 3, updated: 1, ready: 2 }), pods: [crashing] },
    ],
    [
      'Error',
      'it may not be made',
      { resource, problems: [{ child: 'deployment', reason: 'Forbidden', message: 'no right' }] },
    ],
  ])('is %s where %s', (phase, _, observed) => {
    expect(decide(observed).status.phase).toBe(phase);
  });
});

describe('an agent for which no node has room', () => {
  const words =
    '0/2 nodes are available: 2 Insufficient memory. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.';
  const large = resourceOf({ ...minimal, resources: { memory: '9000Gi' } });
  const lost = pod('agent-1', {
    phase: 'Pending',
    containers: [],
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: words }],
    createdAt: START,
  });
  const observed = { resource: large, children: running({ ready: 0 }), pods: [lost] };
  const reported = (...events: readonly { reason: string; message: string }[]) => ({
    [`events/${lost.uid}`]: {
      at: START,
      type: 'events' as const,
      events: events.map((event) => ({ ...event, at: START })),
    },
  });

  it('waits while an autoscaler adds one', () => {
    const adds = { reason: 'TriggeredScaleUp', message: 'pod triggered scale-up: [{large 0->1 (max: 4)}]' };
    const { status } = decide({ ...observed, answers: reported(adds) }, START + 10 * MINUTE);
    expect([status.phase, conditionOf(status, 'Progressing')]).toEqual(['Pending', 'True WaitingForNode']);
  });

  it('waits as long as no autoscaler says anything, with the field to change', () => {
    const { status } = decide({ ...observed, answers: reported() }, START + 10 * MINUTE);
    expect([status.phase, conditionOf(status, 'Progressing')]).toEqual(['Pending', 'True Unschedulable']);
    expect(messageOf(status, 'Progressing')).toContain('resources.memory: 9000Gi');
  });

  it('is in error where an autoscaler says that it fits none of its groups, with the field to change', () => {
    const refuses = { reason: 'NotTriggerScaleUp', message: "pod didn't trigger scale-up: 3 Insufficient memory" };
    const { status } = decide({ ...observed, answers: reported(refuses) }, START + 10 * MINUTE);
    expect([status.phase, conditionOf(status, 'Progressing')]).toEqual(['Error', 'False Unschedulable']);
    expect(messageOf(status, 'Progressing')).toContain('resources.memory: 9000Gi');
  });
});

describe('the status of an agent that runs', () => {
  const { status } = decide({ resource, children: running() });

  it('says where it answers, how many pods there are and which', () => {
    expect(status).toMatchObject({
      observedGeneration: 1,
      url: 'http://agent.agents.svc',
      replicas: 2,
      readyReplicas: 2,
      selector:
        'app.kubernetes.io/name=agent-service,app.kubernetes.io/instance=agent,app.kubernetes.io/component=agent',
    });
    expect(conditionOf(status, 'Ready')).toBe('True Ready');
  });

  it('tells when anything else of it last changed', () => {
    const later = (children: Observed['children'], status: AgentServiceStatus) =>
      decide({ resource: resourceOf(minimal, { status }), ...(children && { children }) }, START + MINUTE).status
        .lastUpdated;
    expect(status.lastUpdated).toBe('2026-01-01T00:00:00Z');
    expect(later(running(), status)).toBe('2026-01-01T00:00:00Z');
    expect(later(running(), JSON.parse(JSON.stringify(status)))).toBe('2026-01-01T00:00:00Z');
    expect(later(running({ ready: 1 }), status)).toBe('2026-01-01T00:01:00Z');
  });

  it('changes nothing when it is decided again, so that nothing is written at rest', () => {
    const again = decide({ resource: resourceOf(minimal, { status }), children: running() }, START + MINUTE);
    expect(again.status).toEqual(status);
    expect(again.requeueAt).toBeUndefined();
  });
});

describe('what goes wrong', () => {
  it('is reported in the words of the container that ended', () => {
    const { status } = decide({ resource, children: running({ ready: 0 }), pods: [crashing] });
    expect(conditionOf(status, 'Progressing')).toBe('False CrashLoop');
    expect(conditionOf(status, 'Available')).toBe('False CrashLoop');
    expect(messageOf(status, 'Ready')).toContain('ends with exit code 1: no key');
  });

  it('is told though enough pods answer', () => {
    const { status } = decide({ ...wasRunning, children: running({ desired: 3, ready: 2 }), pods: [crashing] });
    expect(conditionOf(status, 'Available')).toBe('True Degraded');
    expect(messageOf(status, 'Available')).toContain('2 of 3 replicas are ready. Container agent ends');
  });

  it('keeps an agent from being ready where a child is refused that it does not need', () => {
    const problems = [{ child: 'ingress', reason: 'NameTaken', message: 'it is another’s' }];
    const { status } = decide({ resource, children: running(), problems });
    expect(status.phase).toBe('Running');
    expect(conditionOf(status, 'Ready')).toBe('False NameTaken');
  });

  it('with 0 replicas is nothing: it is stopped as asked, and says how to start it', () => {
    expect(conditionOf(stoppedStatus, 'Progressing')).toBe('True Complete');
    expect(conditionOf(stoppedStatus, 'Available')).toBe('False ScaledToZero');
    expect(messageOf(stoppedStatus, 'Ready')).toContain('Scale it up');
  });
});

describe('a spec that can’t work', () => {
  it('is refused, while what runs is still told of', () => {
    const before = resourceOf(minimal, { status: runningStatus(minimal), generation: 2 });
    const seen = decide({ resource: before, children: [deployment({ ready: 1 })] }).status;
    const status = refused(agentService, before, 'spec.model: wrong', { now: START, seen });
    expect(status).toMatchObject({ phase: 'Error', observedGeneration: 2, replicas: 2, readyReplicas: 1 });
    expect(conditionOf(status, 'Accepted')).toBe('False InvalidSpec');
    expect(conditionOf(status, 'Available')).toBe('True Degraded');
    expect(messageOf(status, 'Ready')).toBe('spec.model: wrong');
  });
});
