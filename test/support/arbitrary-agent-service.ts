import * as fc from 'fast-check';
import { servers } from './prometheus-access.ts';
import type { AgentServiceSpecInput } from '../../constructs/agent-service/spec.ts';
import { image, podFields } from './arbitrary-parts.ts';

type Part<Key extends keyof AgentServiceSpecInput> = fc.Arbitrary<Pick<AgentServiceSpecInput, Key>>;
type Queue = NonNullable<NonNullable<AgentServiceSpecInput['autoscaling']>['queue']>;

const credentials = { secretName: 'queue', key: 'secret' };

const queue: fc.Arbitrary<Queue> = fc
  .constantFrom<Queue>(
    { type: 'redis', address: 'redis.agents.svc:6379', list: 'tasks' },
    { type: 'rabbitmq', host: 'amqp://rabbitmq.queues.svc/prod', queueName: 'tasks' },
    { type: 'rabbitmq', host: 'https://rabbitmq.example.com:15671', queueName: 'tasks' },
    { type: 'postgresql', query: "SELECT count(*) FROM tasks WHERE state = 'pending'", credentials },
    { type: 'prometheus', serverAddress: 'http://prometheus.monitoring.svc:9090', query: 'sum(tasks) or vector(0)' },
  )
  .chain((one) =>
    one.type === 'prometheus'
      ? fc.constantFrom<Queue>(one, ...Object.values(servers).map((server) => ({ ...one, ...server })))
      : fc.constantFrom<Queue>(one, { ...one, credentials }),
  );

const model: Part<'image' | 'model' | 'temperature' | 'maxTokens'> = fc.record(
  {
    image,
    model: fc.constantFrom('gpt-4o', 'meta-llama/Llama-3.1-8B-Instruct'),
    temperature: fc.constantFrom(0, 0.5, 0.7, 1, 2),
    maxTokens: fc.integer({ min: 1, max: 100_000 }),
  },
  { requiredKeys: ['image', 'model'] },
);

const tools: Part<'tools' | 'mcpServers' | 'credentials'> = fc.record(
  {
    tools: fc.subarray(['knowledge-base-search', 'github/create_issue', 'calendar:lookup']),
    mcpServers: fc.subarray([
      { name: 'tickets', url: 'http://tickets.agents.svc:8080/mcp' },
      { name: 'search', url: 'https://mcp.example.com/sse?tenant=a' },
      { name: 'files', url: 'http://files/mcp', targetPort: 3000 },
    ]),
    credentials: fc.subarray([
      { env: 'OPENAI_API_KEY', secretName: 'openai', key: 'api-key' },
      { env: 'GITHUB_TOKEN', secretName: 'github', key: 'token' },
    ]),
  },
  { requiredKeys: [] },
);

const bounds = (least: number) =>
  fc
    .tuple(fc.integer({ min: least, max: 8 }), fc.integer({ min: 1, max: 8 }))
    .map(([a, b]) => ({ minReplicas: Math.min(a, b), maxReplicas: Math.max(a, b) }));
const percent = fc.integer({ min: 1, max: 100 });

const autoscaling: Part<'autoscaling'> = fc.record({
  autoscaling: fc.oneof(
    fc.tuple(bounds(1), percent).map(([between, cpuPercent]) => ({ ...between, targets: { cpuPercent } })),
    fc
      .tuple(bounds(0), fc.option(percent, { nil: undefined }), percent, queue)
      .map(([between, cpuPercent, queueDepth, of]) => ({
        ...between,
        targets: { queueDepth, ...(cpuPercent !== undefined && { cpuPercent }) },
        queue: of,
      })),
  ),
});

const scale: Part<'replicas' | 'autoscaling'> = fc.oneof(
  fc.constant({}),
  fc.record({ replicas: fc.integer({ min: 0, max: 4 }) }),
  autoscaling,
);

const resources: Part<'resources'> = fc.record({
  resources: fc.record(
    { cpu: fc.constantFrom('1', 2, '500m', '0.5'), memory: fc.constantFrom('1Gi', '1024Mi', '2e9') },
    { requiredKeys: ['cpu'] },
  ),
});

const life: Part<'healthPath' | 'drain' | 'expose'> = fc.record(
  {
    healthPath: fc.constant('/healthz'),
    drain: fc.record({ timeoutSeconds: fc.integer({ min: 0, max: 3600 }) }, { requiredKeys: [] }),
    expose: fc.constantFrom<NonNullable<AgentServiceSpecInput['expose']>>(
      { ingress: { host: 'agent.example.com' } },
      { ingress: { host: 'agent.example.com', className: 'nginx', tlsSecretName: 'tls' } },
      { gateway: { name: 'public', namespace: 'infra', hostname: 'agent.example.com' } },
    ),
  },
  { requiredKeys: [] },
);

/** Valid specs of an AgentService, for static hosts and the operator alike: none has a modelRef. */
export const agentServiceArbitrary: fc.Arbitrary<AgentServiceSpecInput> = fc
  .tuple(model, tools, scale, resources, life, podFields('agent'))
  .map(([head, ...parts]) => Object.assign({}, head, ...parts) as AgentServiceSpecInput);
