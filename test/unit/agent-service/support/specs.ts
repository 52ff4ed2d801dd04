import type { AgentServiceSpecInput } from '../../../../constructs/agent-service/spec.ts';

/** As little as an agent needs. */
export const minimal: AgentServiceSpecInput = { image: 'registry.example.com/support-agent:2.0.0', model: 'gpt-4o' };

/** The contract's example. */
export const support: AgentServiceSpecInput = {
  image: 'registry.example.com/support-agent:2.0.0',
  model: 'gpt-4o',
  temperature: 0.5,
  maxTokens: 2048,
  tools: ['knowledge-base-search', 'ticket-creator', 'calendar-lookup'],
  mcpServers: [{ name: 'tickets', url: 'http://tickets.agents.svc:8080/mcp' }],
  credentials: [{ env: 'OPENAI_API_KEY', secretName: 'openai', key: 'api-key' }],
  resources: { cpu: '500m', memory: '1Gi' },
  autoscaling: {
    minReplicas: 2,
    maxReplicas: 15,
    targets: { cpuPercent: 70, queueDepth: 5 },
    queue: { type: 'redis', address: 'redis.agents.svc:6379', list: 'tasks' },
  },
  expose: { ingress: { host: 'agent.example.com', className: 'nginx' } },
  egress: [{ cidr: '0.0.0.0/0', ports: [443] }],
};

/** The specs whose manifests are kept as snapshots: each queue, autoscaler and exposure is in one. */
export const SPECS: Readonly<Record<string, AgentServiceSpecInput>> = {
  'as little as an agent needs, number of replicas left to others': minimal,
  "the contract's example: scaled by CPU and by a Redis, behind an Ingress": support,
  'an agent that is scaled by CPU, behind a Gateway': {
    ...minimal,
    resources: { cpu: '1.5' },
    autoscaling: { maxReplicas: 4, targets: { cpuPercent: 80 } },
    healthPath: '/healthz',
    drain: { timeoutSeconds: 120 },
    expose: { gateway: { name: 'public', namespace: 'gateways', hostname: 'agent.example.com' } },
  },
  'an agent that a RabbitMQ with a password scales down to nothing': {
    ...minimal,
    autoscaling: {
      minReplicas: 0,
      maxReplicas: 3,
      targets: { queueDepth: 1 },
      queue: {
        type: 'rabbitmq',
        host: 'amqp://rabbitmq.queues.svc',
        queueName: 'tasks',
        credentials: { secretName: 'rabbitmq', key: 'url' },
      },
    },
    drain: { timeoutSeconds: 1800 },
  },
  'an agent that a query of PostgreSQL scales': {
    ...minimal,
    autoscaling: {
      maxReplicas: 3,
      targets: { queueDepth: 10 },
      queue: {
        type: 'postgresql',
        query: "SELECT count(*) FROM runs WHERE status = 'pending'",
        credentials: { secretName: 'postgres', key: 'url' },
      },
    },
  },
  'a single replica with all that pods may have, as its image says': {
    ...minimal,
    replicas: 1,
    env: [{ name: 'LOG_LEVEL', value: 'debug' }],
    imagePullSecrets: [{ name: 'registry' }],
    nodeSelector: { 'kubernetes.io/arch': 'arm64' },
    tolerations: [{ key: 'spot', operator: 'Exists' }],
    priorityClassName: 'low',
    runtimeClassName: 'gvisor',
    serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/agent' } },
    security: { level: 'baseline' },
    podTemplate: { spec: { containers: [{ name: 'agent', args: ['--model=$(MODEL_NAME)'] }] } },
  },
};
