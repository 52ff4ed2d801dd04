import { describe, expect, test } from 'vitest';
import type { AgentServiceSpecInput } from '../../../constructs/agent-service/spec.ts';
import { childOf, idsOf, specOf } from './support/render.ts';
import { minimal, support } from './support/specs.ts';
import { servers } from '../../support/prometheus-access.ts';
import { specOf as servingSpecOf } from '../model-serving/support/render.ts';
import { scaled as serving } from '../model-serving/support/specs.ts';

type Autoscaling = NonNullable<AgentServiceSpecInput['autoscaling']>;
type Queue = NonNullable<Autoscaling['queue']>;

const credentials = { secretName: 'queue', key: 'secret' };
const byQueue = (queue: Queue, more: Partial<Autoscaling> = {}): AgentServiceSpecInput => ({
  ...minimal,
  autoscaling: { maxReplicas: 4, targets: { queueDepth: 5 }, queue, ...more },
});
const byCpu: AgentServiceSpecInput = {
  ...minimal,
  resources: { cpu: 1 },
  autoscaling: { maxReplicas: 4, targets: { cpuPercent: 70 } },
};
const redis: Queue = { type: 'redis', address: 'redis:6379', list: 'tasks' };
const triggersOf = (spec: AgentServiceSpecInput) => specOf('autoscaler', spec)['triggers'];

describe('the autoscaler', () => {
  test('is a HorizontalPodAutoscaler where CPU is all that counts, else a ScaledObject, never both', () => {
    expect(childOf('autoscaler', byCpu).manifest.kind).toBe('HorizontalPodAutoscaler');
    expect(childOf('autoscaler', byQueue(redis)).manifest.kind).toBe('ScaledObject');
    expect(childOf('autoscaler', support).manifest.kind).toBe('ScaledObject');
    expect(idsOf(support).filter((id) => id === 'autoscaler')).toHaveLength(1);
  });

  test('counts CPU beside the queue where both are targets', () => {
    expect(triggersOf(support)).toMatchObject([
      { type: 'redis', metricType: 'AverageValue' },
      { type: 'cpu', metricType: 'Utilization', metadata: { value: '70' } },
    ]);
  });

  // The parameters are those of KEDA 2.21's scalers.
  test.each<[string, Queue, object]>([
    ['the length of a list', redis, { address: 'redis:6379', listName: 'tasks', listLength: '5' }],
    [
      'the messages of a queue',
      { type: 'rabbitmq', host: 'amqp://rabbitmq:5672/prod', queueName: 'tasks' },
      { host: 'amqp://rabbitmq:5672/prod', queueName: 'tasks', mode: 'QueueLength', value: '5' },
    ],
    [
      'what a query of a database gives',
      { type: 'postgresql', query: 'SELECT 1', credentials },
      { query: 'SELECT 1', targetQueryValue: '5' },
    ],
    [
      'what a query of Prometheus gives, of which nothing is an error and not 0',
      { type: 'prometheus', serverAddress: 'http://prometheus:9090', query: 'sum(tasks)' },
      { serverAddress: 'http://prometheus:9090', query: 'sum(tasks)', threshold: '5', ignoreNullValues: 'false' },
    ],
  ])('counts %s, on average for each replica', (_, queue, metadata) => {
    expect(triggersOf(byQueue(queue))).toMatchObject([
      { type: queue.type, name: 'queue-depth', metricType: 'AverageValue', metadata },
    ]);
  });

  test.each<[Queue, string, object]>([
    [redis, 'password', { address: 'redis:6379', listName: 'tasks', listLength: '5' }],
    [
      { type: 'rabbitmq', host: 'amqp://rabbitmq:5672/', queueName: 'tasks' },
      'host',
      { queueName: 'tasks', mode: 'QueueLength', value: '5' },
    ],
    [
      { type: 'postgresql', query: 'SELECT 1', credentials },
      'connection',
      { query: 'SELECT 1', targetQueryValue: '5' },
    ],
  ])('shows $type what is in a Secret, as $1', (queue, parameter, metadata) => {
    const spec = byQueue({ ...queue, credentials });
    expect(specOf('trigger-authentication', spec)).toEqual({
      secretTargetRef: [{ parameter, name: 'queue', key: 'secret' }],
    });
    expect(triggersOf(spec)).toMatchObject([{ authenticationRef: { name: 'support-agent' } }]);
    expect((triggersOf(spec) as { metadata: object }[])[0]?.metadata).toEqual(metadata);
    expect(childOf('autoscaler', spec).after).toEqual(['trigger-authentication']);
  });

  test('shows a Prometheus what that of a ModelServing is shown', () => {
    const server = servers['a Thanos of OpenShift'];
    const spec = byQueue({ type: 'prometheus', query: 'sum(tasks)', ...server });
    const { autoscaling: _, ...unscaled } = serving;
    const other = {
      ...unscaled,
      autoscaling: { maxReplicas: 4, targets: { queueDepth: 5 }, prometheus: server },
    };
    expect(specOf('trigger-authentication', spec)).toEqual(servingSpecOf('trigger-authentication', other));
    const [trigger] = triggersOf(spec) as { metadata: { query: string }; authenticationRef: object }[];
    const [like] = servingSpecOf('autoscaler', other)['triggers'] as { metadata: { query: string } }[];
    expect(trigger?.metadata).toEqual({ ...like?.metadata, query: 'sum(tasks)' });
    expect(trigger?.authenticationRef).toEqual({ name: 'support-agent' });
    expect(childOf('autoscaler', spec).after).toEqual(['trigger-authentication']);
  });

  test('gives up a replica only when the load has been low for as long as the longest run, within what HPAs take', () => {
    const lull = (spec: AgentServiceSpecInput, timeoutSeconds: number) => {
      const behavior = specOf('autoscaler', { ...spec, drain: { timeoutSeconds } })['behavior'];
      return (behavior as { scaleDown: { stabilizationWindowSeconds: number } }).scaleDown.stabilizationWindowSeconds;
    };
    expect([0, 300, 1200, 3600].map((seconds) => lull(byCpu, seconds))).toEqual([300, 300, 1200, 3600]);
    expect(specOf('autoscaler', { ...byQueue(redis), drain: { timeoutSeconds: 1200 } })['advanced']).toEqual({
      horizontalPodAutoscalerConfig: { behavior: { scaleDown: { stabilizationWindowSeconds: 1200 } } },
    });
  });

  test('lets the last replica go as late as any other, and keeps one where the queue does not answer', () => {
    expect(specOf('autoscaler', byQueue(redis, { minReplicas: 0 }))).toMatchObject({
      minReplicaCount: 0,
      cooldownPeriod: 600,
      fallback: { replicas: 1, behavior: 'currentReplicasIfHigher' },
    });
    expect(specOf('autoscaler', byQueue(redis))).not.toHaveProperty('cooldownPeriod');
  });
});

describe('exposure', () => {
  test('lets calls take an hour', () => {
    expect(childOf('ingress', support).manifest.metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600',
    });
    const byGateway = { ...minimal, expose: { gateway: { name: 'public', hostname: 'a.example.com' } } };
    expect(specOf('route', byGateway)['rules']).toMatchObject([
      {
        backendRefs: [{ name: 'support-agent', port: 80 }],
        timeouts: { request: '3600s', backendRequest: '3600s' },
      },
    ]);
  });
});
