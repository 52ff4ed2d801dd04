import { describe, expect, test } from 'vitest';
import type { AgentServiceSpecInput } from '../../../constructs/agent-service/spec.ts';
import { agentService } from '../../../constructs/agent-service/kind.ts';
import { serverPairs } from '../../support/prometheus-access.ts';
import { leavesOf, variantsOf } from '../../support/spec-variants.ts';
import { queued, queues } from '../../examples/agent-service/example.ts';
import { render } from './support/render.ts';
import { minimal } from './support/specs.ts';

const schema = agentService.schema().properties?.['spec'] ?? {};

/** The fields that change no manifest of a static host, and why. */
const OPERATOR_ONLY: Readonly<Record<string, string>> = {
  'spec.modelRef.name': 'the operator looks it up, and renders what it finds',
};

const scaled = (autoscaling: object) => ({
  ...minimal,
  resources: { cpu: 1 },
  autoscaling: { maxReplicas: 8, targets: { cpuPercent: 70 }, ...autoscaling },
});
const counting = (queue: object) => scaled({ targets: { queueDepth: 5 }, queue });
const QUEUE = 'spec.autoscaling.queue';

/** Fields that can't change alone. */
const reaching = (port: number): object => ({ ...minimal, egress: [{ cidr: '10.0.0.0/8', ports: [port] }] });
const reachingHost = (host: string): object => ({ ...minimal, egress: [{ hosts: [host] }] });

const PAIRS: Readonly<Record<string, readonly [object, object]>> = {
  'spec.egress[].ports[]': [reaching(443), reaching(444)],
  'spec.egress[].hosts[]': [reachingHost('a.example.com'), reachingHost('*.example.com')],
  'spec.replicas': [minimal, { ...minimal, replicas: 3 }],
  'spec.autoscaling.minReplicas': [scaled({ minReplicas: 1 }), scaled({ minReplicas: 2 })],
  'spec.autoscaling.maxReplicas': [scaled({}), scaled({ maxReplicas: 9 })],
  'spec.autoscaling.targets.cpuPercent': [scaled({}), scaled({ targets: { cpuPercent: 71 } })],
  'spec.autoscaling.targets.queueDepth': [
    counting(queues.redis),
    scaled({ targets: { queueDepth: 6 }, queue: queues.redis }),
  ],
  [`${QUEUE}.type`]: [queued(queues.redis), queued(queues.prometheus)],
  [`${QUEUE}.address`]: [counting(queues.redis), counting({ ...queues.redis, address: 'other:6379' })],
  [`${QUEUE}.list`]: [counting(queues.redis), counting({ ...queues.redis, list: 'other' })],
  [`${QUEUE}.host`]: [counting(queues.rabbitmq), counting({ ...queues.rabbitmq, host: 'amqp://other:5672' })],
  [`${QUEUE}.queueName`]: [counting(queues.rabbitmq), counting({ ...queues.rabbitmq, queueName: 'other' })],
  [`${QUEUE}.query`]: [counting(queues.prometheus), counting({ ...queues.prometheus, query: 'other' })],
  ...Object.fromEntries(
    Object.entries(serverPairs).map(([path, pair]) => [
      `${QUEUE}${path}`,
      [counting({ ...queues.prometheus, ...pair[0] }), counting({ ...queues.prometheus, ...pair[1] })] as const,
    ]),
  ),
  [`${QUEUE}.credentials.secretName`]: [
    counting({ ...queues.redis, credentials: { secretName: 'a', key: 'key' } }),
    counting({ ...queues.redis, credentials: { secretName: 'b', key: 'key' } }),
  ],
  [`${QUEUE}.credentials.key`]: [
    counting({ ...queues.redis, credentials: { secretName: 'a', key: 'key' } }),
    counting({ ...queues.redis, credentials: { secretName: 'a', key: 'other' } }),
  ],
  'spec.security.level': [minimal, { ...minimal, security: { level: 'baseline' } }],
};

const VALUES = {
  '.mcpServers[].url': ['http://a.tools.svc:8080', 'http://b.tools.svc:8081'],
  '.healthPath': ['/a', '/b'],
} as const;

/** Two valid specs that differ in the one field. */
const pairOf = (leaf: string): readonly [object, object] =>
  PAIRS[leaf] ?? variantsOf({ ...minimal }, schema, leaf, VALUES);

const rendered = (spec: object): string => JSON.stringify(render(spec as AgentServiceSpecInput));

describe('every field of the spec', () => {
  const leaves = leavesOf(schema);

  test.each(leaves.filter((leaf) => !(leaf in OPERATOR_ONLY)))('%s changes what is rendered', (leaf) => {
    const [one, other] = pairOf(leaf);
    expect(rendered(one)).not.toBe(rendered(other));
  });

  test('that changes nothing is one that only the operator uses', () => {
    expect(leaves).toEqual(expect.arrayContaining(Object.keys(OPERATOR_ONLY)));
  });
});
