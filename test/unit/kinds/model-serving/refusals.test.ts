import { describe, expect, it } from 'vitest';
import { modelServing } from '../../../../operator/kinds/model-serving/index.ts';
import {
  MINUTE,
  START,
  decide,
  deployment,
  resourceOf,
  runningChildren,
  runningStatus,
  conditionOf,
  messageOf,
  server,
  shared,
} from './support.ts';
import { refused } from '../../../support/decided.ts';

describe('what the API server refuses', () => {
  const observed = { resource: resourceOf(shared), children: runningChildren(shared), pods: [server(shared)] };

  it.each(['NameTaken', 'Forbidden', 'Invalid'])(
    'stops the update where it is %s and nothing serves without it',
    (reason) => {
      const { status } = decide({
        ...observed,
        problems: [{ child: 'deployment', reason, message: 'words of the server' }],
      });
      expect(conditionOf(status, 'Progressing')).toBe(`False ${reason}`);
      expect(conditionOf(status, 'Ready')).toBe(`False ${reason}`);
      expect(conditionOf(status, 'Available')).toBe('True Available');
      expect(status.phase).toBe('Updating');
      expect(messageOf(status, 'Ready')).toContain('words of the server');
    },
  );

  it('leaves the service Running, but not Ready, where it runs without it', () => {
    const problems = [{ child: 'disruption-budget', reason: 'Forbidden', message: 'words of the server' }];
    const { status } = decide({ ...observed, problems });
    expect(status.phase).toBe('Running');
    expect(conditionOf(status, 'Ready')).toBe('False Forbidden');
  });

  it('passes where it is an error of the moment', () => {
    const { status } = decide({
      ...observed,
      problems: [{ child: 'deployment', reason: 'ApiError', message: 'etcd is away' }],
    });
    expect(status.phase).toBe('Running');
    expect(conditionOf(status, 'Ready')).toBe('False ApiError');
  });

  it('leaves no endpoint where its Service belongs to somebody else', () => {
    const children = runningChildren(shared).filter(({ kind }) => kind !== 'Service');
    const problems = [
      { child: 'service', reason: 'NameTaken', message: 'Service models/llama belongs to somebody else' },
    ];
    const { status } = decide({ ...observed, children, problems });
    expect(conditionOf(status, 'Available')).toBe('False NameTaken');
    expect(status.endpoint).toBeUndefined();
    expect(status.phase).toBe('Failed');
  });
});

describe('what the cluster lacks', () => {
  const scaled = {
    ...shared,
    autoscaling: {
      minReplicas: 1,
      maxReplicas: 3,
      targets: { queueDepth: 4 },
      prometheus: { serverAddress: 'http://p' },
    },
  };
  const routed = { ...shared, expose: { gateway: { name: 'edge', hostname: 'llama.example.com' } } };

  const reaching = { ...shared, egress: [{ hosts: ['mirror.example.com'] }] };

  it.each([
    ['KedaNotInstalled', scaled, 'autoscaler', 'ScaledObject.v1alpha1'],
    ['GatewayApiNotInstalled', routed, 'route', 'HTTPRoute.v1'],
    ['CiliumNotInstalled', reaching, 'host-egress', 'CiliumNetworkPolicy.v2'],
  ])('%s is reported, and the service runs', (reason, spec, child, type) => {
    const observed = { resource: resourceOf(spec), children: runningChildren(spec), pods: [server(spec)] };
    const asked = decide(observed);
    expect(asked.queries).toContainEqual(expect.objectContaining({ type: 'served', id: `served/${type}` }));
    expect(conditionOf(asked.status, 'Ready')).toBe('True Ready');
    const answers = (served: boolean) => ({ [`served/${type}`]: { at: START, type: 'served', served } as const });
    const problems = [{ child, reason: 'NotServed', message: 'not found' }];
    for (const lacking of [{ answers: answers(false) }, { problems }, { answers: answers(false), problems }]) {
      const { status } = decide({ ...observed, ...lacking });
      expect(status.phase).toBe('Running');
      expect(conditionOf(status, 'Ready')).toBe(`False ${reason}`);
    }
    expect(conditionOf(decide({ ...observed, answers: answers(true) }).status, 'Ready')).toBe('True Ready');

    const { status } = decide({ ...observed, answers: answers(false) });
    const again = { ...observed, resource: resourceOf(spec, { status }) };
    expect(decide(again).status, 'an operator that has not looked yet').toEqual(status);
    expect(conditionOf(decide({ ...again, answers: answers(true) }).status, 'Ready')).toBe('True Ready');
  });
});

describe('a spec that is invalid', () => {
  const words = 'spec.replicas: must be 1';

  it('is refused in the words of the schema', () => {
    const status = refused(modelServing, resourceOf(shared), words, { now: START });
    expect(status.phase).toBe('Failed');
    expect(conditionOf(status, 'Accepted')).toBe('False InvalidSpec');
    expect(conditionOf(status, 'Ready')).toBe('False InvalidSpec');
    expect(messageOf(status, 'Accepted')).toBe(words);
  });

  it('leaves what serves in service', () => {
    const running = runningStatus(shared);
    const resource = resourceOf(shared, { status: running, generation: 2 });
    const status = refused(modelServing, resource, words, { now: START + MINUTE });
    expect(status.phase).toBe('Updating');
    expect(conditionOf(status, 'Available')).toBe('True Available');
    expect(status.observedGeneration).toBe(2);
    expect(status.served).toEqual(running.served);
  });

  it('shows how what serves is doing now, remembers nothing of the refused spec, and says so only once', () => {
    const running = runningStatus(shared);
    const bad = { ...shared, engine: { type: 'vllm' as const, args: ['--bad'] } };
    const refusedAt = (status: typeof running, now: number) => {
      const resource = resourceOf(bad, { status, generation: 2 });
      const children = [
        ...runningChildren(shared).filter(({ kind }) => kind !== 'Deployment'),
        deployment({ ready: 0 }),
      ];
      const seen = decide({ resource, children, pods: [server(shared)] }, now).status;
      return refused(modelServing, resource, words, { now, seen });
    };
    const first = refusedAt(running, START + MINUTE);
    expect(first.readyReplicas).toBe(0);
    expect(conditionOf(first, 'Available')).toMatch(/^False /);
    expect(first.phase).toBe('Failed');
    expect(first.served).toEqual(running.served);
    expect(refusedAt(first, START + 2 * MINUTE)).toEqual(first);
  });

  it('is forgotten once it is corrected', () => {
    const status = refused(modelServing, resourceOf(shared, { status: runningStatus(shared) }), words, { now: START });
    const observed = {
      resource: resourceOf(shared, { status }),
      children: runningChildren(shared),
      pods: [server(shared)],
    };
    expect(conditionOf(decide(observed).status, 'Accepted')).toBe('True Accepted');
  });
});
