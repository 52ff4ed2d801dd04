import { App, Chart } from 'cdk8s';
import { AgentService } from '../../../constructs/index.ts';
import { agentService } from '../../../constructs/agent-service/kind.ts';
import type { AgentServiceState } from '../../../constructs/agent-service/state.ts';
import type { AgentServiceSpecInput } from '../../../constructs/agent-service/spec.ts';
import { serverSelector } from '../../../constructs/model-serving/manifests.ts';
import type { JsonObject } from '../../../constructs/schema/json.ts';
import { accessValues, servers } from '../../support/prometheus-access.ts';
import { everyPodField, podValues } from './pods.ts';
import { PODS, type Subject } from './subject.ts';

const small = {
  image: 'registry.example.com/support-agent:2.0.0',
  model: 'gpt-4o',
  resources: { cpu: '100m', memory: '64Mi' },
  drain: { timeoutSeconds: 1 },
} satisfies AgentServiceSpecInput;

const scaledBy = (queue: JsonObject): JsonObject => ({
  ...small,
  autoscaling: { minReplicas: 0, maxReplicas: 3, targets: { queueDepth: 5 }, queue },
});

const { model: _, ...withoutModel } = small;
const credentials = { secretName: 'queue', key: 'url' };

const homes = {
  'tools, servers and secrets': {
    ...small,
    temperature: 0.5,
    maxTokens: 2048,
    tools: ['search', 'calendar'],
    mcpServers: [
      { name: 'tickets', url: 'http://tickets.agents.svc:8080/mcp', targetPort: 8081 },
      { name: 'mail', url: 'https://mail.example.com' },
    ],
    credentials: [{ env: 'OPENAI_API_KEY', secretName: 'openai', key: 'api-key' }],
    replicas: 1,
    healthPath: '/healthz',
    expose: {
      ingress: {
        host: 'agent.example.com',
        className: 'nginx',
        tlsSecretName: 'tls',
        annotations: { 'example.com/note': 'a' },
      },
    },
  },
  'a model of the cluster': { ...withoutModel, modelRef: { name: 'llama' }, replicas: 1 },
  'an autoscaler that asks a Redis, behind a Gateway': {
    ...small,
    autoscaling: {
      minReplicas: 1,
      maxReplicas: 3,
      targets: { cpuPercent: 70, queueDepth: 5 },
      queue: { type: 'redis', address: 'redis.agents.svc:6379', list: 'tasks', credentials },
    },
    expose: { gateway: { name: 'public', namespace: 'infra', hostname: 'agent.example.com' } },
    security: { ids: 'fixed' },
  },
  'a RabbitMQ': scaledBy({ type: 'rabbitmq', host: 'amqp://rabbitmq.agents.svc:5672/', queueName: 'tasks' }),
  'a PostgreSQL': scaledBy({ type: 'postgresql', query: 'SELECT count(*) FROM tasks', credentials }),
  'a Prometheus': scaledBy({ type: 'prometheus', serverAddress: 'http://prometheus:9090', query: 'sum(tasks)' }),
  ...Object.fromEntries(
    Object.entries(servers).map(([title, server]) => [
      `as Prometheus ${title}`,
      scaledBy({ type: 'prometheus', query: 'sum(tasks)', ...server }),
    ]),
  ),
  [PODS]: {
    ...small,
    ...everyPodField,
    serviceAccount: { ...everyPodField.serviceAccount, identity: 'azure-workload-identity' },
    replicas: 0,
  },
} satisfies Record<string, JsonObject>;

/** Where `modelRef` leads to. */
function statesOf(_spec: JsonObject, { model }: JsonObject): readonly AgentServiceState[] {
  if (model === undefined) return [{}];
  const { ref, ...rest } = model as unknown as { ref: string; name: string; baseUrl: string; port: number };
  return [{ model: { ...rest, selector: serverSelector(ref) } }];
}

/** The kind AgentService. */
export const agentServiceSubject: Subject = {
  kind: agentService,
  homes,
  values: {
    ...podValues,
    ...accessValues,
    '.mcpServers[].url': [
      'http://b.tools.svc:8081',
      'tickets:8080',
      'http://user@tickets/mcp',
      'http://169.254.169.254',
    ],
    '.modelRef.name': ['llama-2'],
    '.address': ['other:6379', 'other', 'redis://other:6379'],
    '.queue.host': ['amqp://other:5672', 'amqp://user:secret@other', 'other:5672'],
    '.credentials[].env': ['OTHER_KEY', 'OPENAI_BASE_URL', 'MODEL_NAME'],
    '.tools[]': ['a,b'],
    // A type takes fields of its own.
    '.queue': [
      { type: 'rabbitmq', host: 'amqp://rabbitmq:5672', queueName: 'tasks' },
      { type: 'redis', address: 'redis:6379', list: 'tasks' },
    ],
    '.maxReplicas': [4],
  },
  silent: {
    'spec.modelRef.name': 'the operator looks it up, and renders what it finds',
    'spec.autoscaling.queue.type': 'it changes together with the fields of the type: see the values of queue',
  },
  statesOf,
  render(name, namespace, spec, state) {
    const agent = new AgentService(new Chart(new App(), 'chart'), 'agent', {
      name,
      namespace,
      spec: spec as unknown as AgentServiceSpecInput,
      ...(state !== undefined && { state }),
    });
    return agent.render();
  },
};
