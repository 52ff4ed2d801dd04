import { refusedServers } from '../../support/prometheus-refused.ts';
import { minimal, queued, queues, referring, type RefusedExample } from './example.ts';

const scaled = (autoscaling: object, more: object = {}) => ({
  ...minimal,
  autoscaling: { maxReplicas: 2, ...autoscaling },
  ...more,
});
const patched = (name: string) => ({
  podTemplate: { spec: { containers: [{ name: 'agent', env: [{ name, value: 'a' }] }] } },
});

const models: readonly RefusedExample[] = [
  {
    title: 'neither model nor modelRef',
    spec: { image: minimal.image },
    problems: [['spec.model', 'exactly one of model and modelRef must be given']],
  },
  {
    title: 'both model and modelRef',
    spec: { ...minimal, ...referring },
    problems: [['spec.model', 'exactly one of model and modelRef must be given']],
  },
  {
    title: 'a name of a model with a space, and one of a ModelServing that can be none',
    spec: { ...minimal, model: 'gpt 4' },
    problems: [['spec.model', 'must be the name of a model, without spaces']],
  },
  {
    title: 'a ModelServing of another namespace',
    spec: { ...referring, modelRef: { name: 'models/llama' } },
    problems: [['spec.modelRef.name', 'must be the name of a Kubernetes object']],
  },
  {
    title: 'a temperature and a number of tokens out of bounds',
    spec: { ...minimal, temperature: 2.5, maxTokens: 0 },
    problems: [
      ['spec.temperature', 'should be less than or equal to 2'],
      ['spec.maxTokens', 'should be greater than or equal to 1'],
    ],
  },
];

const tools: readonly RefusedExample[] = [
  {
    title: 'a tool with a comma, which would be two',
    spec: { ...minimal, tools: ['a,b'] },
    problems: [['spec.tools[0]', 'commas separate tools']],
  },
  {
    title: 'a tool twice',
    spec: { ...minimal, tools: ['a', 'a'] },
    problems: [['spec.tools[1]', 'Duplicate value: "a"']],
  },
  {
    title: 'an MCP server with a password in its URL, one without a scheme, and two of one name',
    spec: {
      ...minimal,
      mcpServers: [
        { name: 'a', url: 'http://user:secret@tickets:8080/mcp' },
        { name: 'b', url: 'tickets.agents.svc:8080' },
      ],
    },
    problems: [
      ['spec.mcpServers[0].url', 'without user and fragment'],
      ['spec.mcpServers[1].url', 'must be an http or https URL'],
    ],
  },
];

const variables: readonly RefusedExample[] = [
  {
    title: 'variables that follow from other fields',
    spec: { ...minimal, env: [{ name: 'TEMPERATURE', value: '1' }] },
    problems: [['spec.env', 'they follow from temperature, maxTokens, tools, mcpServers']],
  },
  {
    title: 'the variable of the model',
    spec: { ...minimal, env: [{ name: 'MODEL_NAME', value: 'gpt-5' }] },
    problems: [['spec.env[0].name', 'is set by Trunnion']],
  },
  {
    title: 'variables that follow from other fields, by the pod template',
    spec: { ...minimal, ...patched('MCP_SERVERS') },
    problems: [['spec.podTemplate.spec.containers', 'they follow from temperature']],
  },
  {
    title: 'variables that follow from other fields, by a Secret',
    spec: { ...minimal, credentials: [{ env: 'TOOLS', secretName: 'a', key: 'b' }] },
    problems: [['spec.credentials[0].env', 'is set by Trunnion']],
  },
  {
    title: 'another address than that of the ModelServing',
    spec: { ...referring, env: [{ name: 'OPENAI_BASE_URL', value: 'http://a' }] },
    problems: [['spec.env', 'must not set OPENAI_BASE_URL where modelRef is given']],
  },
  {
    title: 'another address than that of the ModelServing, by a Secret',
    spec: { ...referring, credentials: [{ env: 'OPENAI_BASE_URL', secretName: 'a', key: 'b' }] },
    problems: [['spec.credentials', 'must not set OPENAI_BASE_URL where modelRef is given']],
  },
  {
    title: 'a variable twice, plain and by a Secret',
    spec: { ...minimal, env: [{ name: 'KEY' }], credentials: [{ env: 'KEY', secretName: 'a', key: 'b' }] },
    problems: [['spec.credentials', 'must not set a variable that env sets too']],
  },
];

const scaling: readonly RefusedExample[] = [
  {
    title: 'replicas beside autoscaling',
    spec: { ...queued(queues.redis), replicas: 2 },
    problems: [['spec.replicas', 'must be left out where autoscaling is given']],
  },
  {
    title: 'no target',
    spec: scaled({ targets: {} }),
    problems: [['spec.autoscaling.targets', 'must have at least one of cpuPercent and queueDepth']],
  },
  {
    title: 'the depth of no queue',
    spec: scaled({ targets: { queueDepth: 5 } }),
    problems: [['spec.autoscaling.queue', 'is required by targets.queueDepth']],
  },
  {
    title: 'a queue of no depth',
    spec: scaled({ targets: { cpuPercent: 70 }, queue: queues.redis }, { resources: { cpu: 1 } }),
    problems: [['spec.autoscaling.targets.queueDepth', 'is required where queue is given']],
  },
  {
    title: 'a share of CPUs that nobody requests',
    spec: scaled({ targets: { cpuPercent: 70 } }),
    problems: [['spec.resources.cpu', 'is required by autoscaling.targets.cpuPercent']],
  },
  {
    title: 'no replica by CPU alone',
    spec: scaled({ minReplicas: 0, targets: { cpuPercent: 70 } }, { resources: { cpu: 1 } }),
    problems: [['spec.autoscaling.minReplicas', 'must be at least 1 without targets.queueDepth']],
  },
  {
    title: 'a Redis without a list',
    spec: scaled({ targets: { queueDepth: 5 }, queue: { type: 'redis', address: 'redis:6379' } }),
    problems: [['spec.autoscaling.queue.list', 'is required where queue.type is redis']],
  },
  {
    title: 'a Redis with the fields of others',
    spec: scaled({ targets: { queueDepth: 5 }, queue: { ...queues.redis, query: 'SELECT 1', queueName: 'a' } }),
    problems: [
      ['spec.autoscaling.queue.query', 'is for queue.type postgresql and prometheus only'],
      ['spec.autoscaling.queue.queueName', 'is for queue.type rabbitmq only'],
    ],
  },
  {
    title: 'a Redis whose address is a URL',
    spec: scaled({ targets: { queueDepth: 5 }, queue: { ...queues.redis, address: 'redis://redis:6379' } }),
    problems: [['spec.autoscaling.queue.address', 'must be HOST:PORT']],
  },
  {
    title: 'a RabbitMQ with its password in the spec',
    spec: scaled({
      targets: { queueDepth: 5 },
      queue: { ...queues.rabbitmq, host: 'amqp://guest:guest@rabbitmq:5672/' },
    }),
    problems: [['spec.autoscaling.queue.host', 'belong into credentials']],
  },
  {
    title: 'a PostgreSQL that nobody knows the way to',
    spec: scaled({ targets: { queueDepth: 5 }, queue: { type: 'postgresql', query: 'SELECT 1' } }),
    problems: [['spec.autoscaling.queue.credentials', 'the key holds the connection string']],
  },
];

const guarded: readonly RefusedExample[] = [
  ...refusedServers.map(({ title, server, problems }) => ({
    title: `as Prometheus ${title}`,
    spec: scaled({ targets: { queueDepth: 5 }, queue: { ...queues.prometheus, ...server } }),
    problems: problems.map(([path, message]) => [`spec.autoscaling.queue${path}`, message] as const),
  })),
  {
    title: 'a Prometheus with the credentials of others',
    spec: scaled({
      targets: { queueDepth: 5 },
      queue: { ...queues.prometheus, credentials: { secretName: 'prometheus', key: 'token' } },
    }),
    problems: [['spec.autoscaling.queue.credentials', 'give authentication.bearerToken']],
  },
  {
    title: 'a Redis with what gets one into a Prometheus',
    spec: scaled({
      targets: { queueDepth: 5 },
      queue: {
        ...queues.redis,
        headers: { 'X-Scope-OrgID': 'agents' },
        authentication: { bearerToken: { secretName: 'redis', key: 'token' } },
      },
    }),
    problems: [
      ['spec.autoscaling.queue.headers', 'is for queue.type prometheus only'],
      ['spec.autoscaling.queue.authentication', 'is for queue.type prometheus only'],
    ],
  },
];

const others: readonly RefusedExample[] = [
  {
    title: 'a name that leaves no room',
    name: `a${'b'.repeat(63)}`,
    spec: minimal,
    problems: [['metadata.name', 'must have at most 63 characters']],
  },
  {
    title: 'a grace that cuts runs off',
    spec: { ...minimal, podTemplate: { spec: { terminationGracePeriodSeconds: 60 } } },
    problems: [['spec.podTemplate.spec.terminationGracePeriodSeconds', 'must be at least drain.timeoutSeconds']],
  },
  {
    title: 'a container without an image',
    spec: { ...minimal, podTemplate: { spec: { containers: [{ name: 'side' }] } } },
    problems: [['spec.podTemplate.spec.containers', 'each must have an image, but for agent']],
  },
  {
    title: 'GPUs, which it has no field for',
    spec: { ...minimal, resources: { gpu: 1 } },
    problems: [['spec.resources.gpu', 'unknown field "spec.resources.gpu"']],
  },
];

/** Resources that must be refused, by the API server and by `parseSpec`, with the same messages. */
export const refused: readonly RefusedExample[] = [
  ...models,
  ...tools,
  ...variables,
  ...scaling,
  ...guarded,
  ...others,
];
