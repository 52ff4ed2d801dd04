import type { AgentServiceSpecInput } from '../../../constructs/agent-service/spec.ts';

type Queue = NonNullable<NonNullable<AgentServiceSpecInput['autoscaling']>['queue']>;

/** A resource that must be accepted. */
export interface AcceptedExample {
  /** What it shows, as a sentence's end: "accepts …". */
  readonly title: string;
  readonly name?: string;
  readonly spec: AgentServiceSpecInput;
}

/** A resource that must be refused. */
export interface RefusedExample {
  /** What it shows, as a sentence's end: "refuses …". */
  readonly title: string;
  readonly name?: string;
  /** Not of the spec's type, since a compiler would refuse many of them first. */
  readonly spec: unknown;
  /** Each path with a part of its message; no other problem may be told. */
  readonly problems: readonly (readonly [path: string, message: string])[];
}

/** The smallest useful spec. */
export const minimal = {
  image: 'registry.example.com/support-agent:2.0.0',
  model: 'gpt-4o',
} satisfies AgentServiceSpecInput;

/** One whose model a ModelServing serves. */
export const referring = { image: minimal.image, modelRef: { name: 'llama-3-8b' } } satisfies AgentServiceSpecInput;

/** One of each type of queue, with what it shows to get in. */
export const queues = {
  redis: { type: 'redis', address: 'redis.agents.svc:6379', list: 'tasks' },
  rabbitmq: { type: 'rabbitmq', host: 'amqp://rabbitmq.agents.svc:5672/', queueName: 'tasks' },
  postgresql: {
    type: 'postgresql',
    query: "SELECT count(*) FROM tasks WHERE state = 'pending'",
    credentials: { secretName: 'postgres', key: 'url' },
  },
  prometheus: {
    type: 'prometheus',
    serverAddress: 'http://prometheus.monitoring.svc:9090',
    query: 'sum(tasks_pending)',
  },
} as const;

/** One that is scaled by a queue. */
export const queued = (queue: Queue): AgentServiceSpecInput => ({
  ...minimal,
  autoscaling: { minReplicas: 2, maxReplicas: 15, targets: { queueDepth: 5 }, queue },
});
