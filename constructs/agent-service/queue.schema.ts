import * as z from 'zod';
import { secretKey } from '../parts/objects/schema.ts';
import { prometheus, prometheusAccess, prometheusRules } from '../parts/scaling/schema.ts';
import { withRules, type Rule } from '../schema/rules.ts';
import { QUEUES, QUEUE_TABLE, type QueueField } from './queues.ts';

const address = withRules(z.string().min(1).max(259), {
  rule: "self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?:[0-9]{1,5}$')",
  message: 'must be HOST:PORT, for instance redis.agents.svc:6379',
});

const host = withRules(z.string().min(1).max(512), {
  rule: "self.matches('^(amqps?|https?)://[^/@ ?#]+(/[^ ?#]*)?$')",
  message:
    'must be an amqp, amqps, http or https URL without user and password, which belong into credentials: amqp://rabbitmq.agents.svc:5672/',
});

const FIELDS = [
  'address',
  'list',
  'host',
  'queueName',
  'query',
  'serverAddress',
] as const satisfies readonly QueueField[];

const owners = (field: QueueField) => QUEUES.filter((type) => QUEUE_TABLE[type].fields.includes(field));

/** A type needs its own fields and takes no others. */
const fieldRules: readonly Rule[] = FIELDS.flatMap((field) => {
  const types = `[${owners(field)
    .map((type) => `'${type}'`)
    .join(', ')}]`;
  return [
    {
      rule: `!(self.type in ${types}) || has(self.${field})`,
      fieldPath: `.${field}`,
      message: `is required where queue.type is ${owners(field).join(' or ')}`,
    },
    {
      rule: `self.type in ${types} || !has(self.${field})`,
      fieldPath: `.${field}`,
      message: `is for queue.type ${owners(field).join(' and ')} only: leave it out`,
    },
  ];
});

const WITH_CREDENTIALS = QUEUES.filter((type) => QUEUE_TABLE[type].credentials !== undefined);

const accessRules: readonly Rule[] = [
  ...Object.keys(prometheusAccess).map((field) => ({
    rule: `self.type == 'prometheus' || !has(self.${field})`,
    fieldPath: `.${field}`,
    message: 'is for queue.type prometheus only: leave it out',
  })),
  {
    rule: "self.type != 'prometheus' || !has(self.credentials)",
    fieldPath: '.credentials',
    message: `are for queue.type ${WITH_CREDENTIALS.join(', ')} only: give authentication.bearerToken`,
  },
];

/** What `targets.queueDepth` counts. */
export const queue = withRules(
  z.strictObject({
    type: z.enum(QUEUES).describe('What holds the tasks.'),
    address: address.describe('Redis: its host and port.').optional(),
    list: z.string().min(1).max(512).describe('Redis: the list whose length is counted.').optional(),
    host: host.describe('RabbitMQ: its URL, with the virtual host as its path.').optional(),
    queueName: z.string().min(1).max(255).describe('RabbitMQ: the queue whose messages are counted.').optional(),
    query: z
      .string()
      .min(1)
      .max(4096)
      .describe(
        'PostgreSQL: a query that gives one number, for instance SELECT count(*) FROM tasks WHERE state = \'pending\'. Prometheus: one that gives one number, and one for an empty queue too ("or vector(0)"): nothing is taken for an error.',
      )
      .optional(),
    serverAddress: prometheus.shape.serverAddress.describe('Prometheus: its URL.').optional(),
    ...prometheusAccess,
    credentials: secretKey
      .describe(
        `What the autoscaler shows to get at the queue: ${WITH_CREDENTIALS.map((type) => `for ${type} ${QUEUE_TABLE[type].credentials?.words}`).join('; ')}. Prometheus has authentication. Pods don't get it: see spec.credentials.`,
      )
      .optional(),
  }),
  ...fieldRules,
  ...accessRules,
  ...prometheusRules,
  {
    rule: "self.type != 'postgresql' || has(self.credentials)",
    fieldPath: '.credentials',
    message: 'is required where queue.type is postgresql: the key holds the connection string, which says where it is',
  },
);
