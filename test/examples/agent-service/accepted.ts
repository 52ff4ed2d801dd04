import { servers } from '../../support/prometheus-access.ts';
import { minimal, queued, queues, referring, type AcceptedExample } from './example.ts';

/** Resources that must be accepted, by the API server and by `parseSpec`. */
export const accepted: readonly AcceptedExample[] = [
  { title: 'the smallest useful spec', spec: minimal },
  { title: 'a name of 63 characters', name: `a${'b'.repeat(62)}`, spec: minimal },
  { title: 'a ModelServing as model', spec: referring },
  {
    title: 'how the model answers, tools and MCP servers',
    spec: {
      ...minimal,
      temperature: 0.5,
      maxTokens: 2048,
      tools: ['knowledge-base-search', 'github/create_issue', 'calendar:lookup@2'],
      mcpServers: [
        { name: 'tickets', url: 'http://tickets.agents.svc:8080/mcp' },
        { name: 'search', url: 'https://mcp.example.com/sse?tenant=a', targetPort: 8443 },
      ],
    },
  },
  { title: 'a temperature that is a whole number', spec: { ...minimal, temperature: 2 } },
  {
    title: 'credentials, also for the provider of the model',
    spec: { ...minimal, credentials: [{ env: 'OPENAI_API_KEY', secretName: 'openai', key: 'api-key' }] },
  },
  {
    title: 'the address of a provider',
    spec: { ...minimal, env: [{ name: 'OPENAI_BASE_URL', value: 'https://llm.example.com/v1' }] },
  },
  {
    title: 'a variable of a container beside the agent',
    spec: {
      ...minimal,
      podTemplate: {
        spec: { containers: [{ name: 'side', image: 'side:1', env: [{ name: 'TOOLS', value: 'hammer' }] }] },
      },
    },
  },
  { title: 'no replicas at all', spec: { ...minimal, replicas: 0 } },
  {
    title: 'a CPU target alone',
    spec: {
      ...minimal,
      resources: { cpu: '500m', memory: '1Gi' },
      autoscaling: { maxReplicas: 3, targets: { cpuPercent: 70 } },
    },
  },
  ...Object.values(queues).map((queue) => ({ title: `a queue of ${queue.type}`, spec: queued(queue) })),
  ...Object.entries(servers).map(([title, server]) => ({
    title: `as Prometheus ${title}`,
    spec: queued({ ...queues.prometheus, ...server }),
  })),
  {
    title: 'both targets, down to no replica',
    spec: {
      ...minimal,
      resources: { cpu: 1 },
      autoscaling: {
        minReplicas: 0,
        maxReplicas: 15,
        targets: { cpuPercent: 70, queueDepth: 5 },
        queue: { ...queues.redis, credentials: { secretName: 'redis', key: 'password' } },
      },
    },
  },
  {
    title: 'an Ingress, a path to ask for its health and a long drain',
    spec: {
      ...minimal,
      healthPath: '/healthz',
      drain: { timeoutSeconds: 3600 },
      expose: { ingress: { host: 'agent.example.com', className: 'nginx' } },
    },
  },
];
