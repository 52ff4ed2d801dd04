import { describe, expect, test } from 'vitest';
import type { AgentServiceSpecInput } from '../../../constructs/agent-service/spec.ts';
import { withoutMetadata } from '../../../constructs/parts/network/metadata-services.ts';
import { construct, specOf } from './support/render.ts';
import { minimal, support } from './support/specs.ts';

const DNS = expect.objectContaining({ ports: expect.arrayContaining([{ protocol: 'UDP', port: 53 }]) });
const egressOf = (spec: AgentServiceSpecInput) => specOf('network-policy', spec)['egress'] as readonly object[];
const server = (url: string, targetPort?: number): AgentServiceSpecInput => ({
  ...minimal,
  mcpServers: [{ name: 'a', url, ...(targetPort !== undefined && { targetPort }) }],
});
const toNamespace = (namespace: string, port?: number) => ({
  to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } }],
  ...(port !== undefined && { ports: [{ protocol: 'TCP', port }] }),
});

describe('the pods may reach', () => {
  test('DNS and nothing else, where nothing else is named', () => {
    expect(egressOf(minimal)).toEqual([DNS]);
  });

  test('what is declared, and the MCP servers and the queue of the cluster, each rule once', () => {
    expect(egressOf(support)).toEqual([
      DNS,
      toNamespace('agents', 8080),
      toNamespace('agents', 6379),
      { to: [{ ipBlock: withoutMetadata('0.0.0.0/0') }], ports: [{ protocol: 'TCP', port: 443 }] },
    ]);
    const twice = { ...support, mcpServers: [...(support.mcpServers ?? []), { name: 'b', url: 'http://b:8080/mcp' }] };
    expect(egressOf(twice)).toHaveLength(4);
  });

  test.each([
    ['http://tickets.tools.svc:8080/mcp', toNamespace('tools', 8080)],
    ['http://tickets.tools.svc.cluster.local:8080', toNamespace('tools', 8080)],
    ['https://tickets-0.tickets.tools.svc:8443/mcp?a=b', toNamespace('tools', 8443)],
    ['http://tickets:8080/mcp', toNamespace('agents', 8080)],
    // 80 is the port of the Service; that of its pods is not known.
    ['http://tickets.tools.svc/mcp', toNamespace('tools')],
  ])('the pods behind %s', (url, rule) => {
    expect(egressOf(server(url))).toEqual([DNS, rule]);
  });

  test('the port that pods listen on where it is not that of the URL', () => {
    expect(egressOf(server('http://tickets.tools.svc/mcp', 3000))).toEqual([DNS, toNamespace('tools', 3000)]);
    expect(egressOf(server('http://tickets.tools.svc:80/mcp', 3000))).toEqual([DNS, toNamespace('tools', 3000)]);
  });

  test.each([
    'https://mcp.example.com/sse',
    // As well a domain of the internet as a Service.
    'http://tickets.tools:8080',
    'http://10.0.0.1:8080',
    'http://[2001:db8::1]:8080',
    'http://localhost:3000/mcp',
    'http://svc.example.com',
  ])('not %s by itself, which is no Service of the cluster', (url) => {
    expect(egressOf(server(url))).toEqual([DNS]);
  });

  test('a RabbitMQ on the port of its protocol, and not the Prometheus or the database that only KEDA asks', () => {
    const queued = (queue: NonNullable<AgentServiceSpecInput['autoscaling']>['queue']) => ({
      ...minimal,
      autoscaling: { maxReplicas: 2, targets: { queueDepth: 1 }, ...(queue && { queue }) },
    });
    const rabbitmq = { type: 'rabbitmq', queueName: 'tasks' } as const;
    expect(egressOf(queued({ ...rabbitmq, host: 'amqp://rabbitmq.queues.svc/prod' }))).toContainEqual(
      toNamespace('queues', 5672),
    );
    expect(egressOf(queued({ ...rabbitmq, host: 'amqps://rabbitmq.queues.svc' }))).toContainEqual(
      toNamespace('queues', 5671),
    );
    const prometheus = {
      type: 'prometheus',
      serverAddress: 'http://prometheus.monitoring.svc:9090',
      query: 'a',
    } as const;
    expect(egressOf(queued(prometheus))).toEqual([DNS]);
  });
});

describe('a warning', () => {
  test('names all that the pods need and may not reach', () => {
    const spec = { ...minimal, mcpServers: [{ name: 'search', url: 'https://mcp.example.com' }] };
    expect(construct(spec).warnings).toEqual([
      expect.stringMatching(/^spec\.egress: .* can't reach the API of gpt-4o, the MCP server search;/),
    ]);
    expect(construct({ ...spec, egress: [{ cidr: '0.0.0.0/0', ports: [443] }] }).warnings).toEqual([]);
  });

  test('says where a URL opens all ports of a namespace', () => {
    const open = { ...server('http://tickets.tools.svc/mcp'), egress: [{ cidr: '10.0.0.0/8' }] };
    expect(construct(open).warnings).toEqual([
      expect.stringMatching(/^spec\.mcpServers\[0\]\.targetPort: .* any port in the namespace tools/),
    ]);
    const closed = { ...server('http://tickets.tools.svc/mcp', 3000), egress: [{ cidr: '10.0.0.0/8' }] };
    expect(construct(closed).warnings).toEqual([]);
  });

  test('says that a queue needs KEDA, and is found on the node by cdk8s', () => {
    const agent = construct(support);
    expect(agent.warnings).toEqual([expect.stringContaining('asked by KEDA, which must be installed')]);
    expect(agent.node.metadata).toEqual([expect.objectContaining({ type: 'warning', data: agent.warnings[0] })]);
  });
});
