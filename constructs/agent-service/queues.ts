/** The queues whose depth an agent may be scaled by. */
export const QUEUES = ['redis', 'rabbitmq', 'postgresql', 'prometheus'] as const;

/** A queue whose depth an agent may be scaled by. */
export type QueueType = (typeof QUEUES)[number];

/** A field of `queue` that only some types have. */
export type QueueField = 'address' | 'list' | 'host' | 'queueName' | 'query' | 'serverAddress';

/** What is known of each type of queue. */
export interface QueueTraits {
  /** The fields that say what to count: all of them are needed, and others are refused. */
  readonly fields: readonly QueueField[];
  /**
   * What `credentials` are.
   *
   * @default - it takes none, but the `authentication` of every Prometheus
   */
  readonly credentials?: {
    /** The parameter of KEDA's scaler that their value is given as. */
    readonly parameter: string;
    /** What that value is, in words. */
    readonly words: string;
  };
}

/** KEDA 2.21's scalers: `pkg/scalers/*_scaler.go` of its source names the parameters. */
export const QUEUE_TABLE: Readonly<Record<QueueType, QueueTraits>> = {
  redis: { fields: ['address', 'list'], credentials: { parameter: 'password', words: 'the password' } },
  rabbitmq: {
    fields: ['host', 'queueName'],
    credentials: {
      parameter: 'host',
      words: 'the whole URL, with user and password, which then takes the place of host',
    },
  },
  postgresql: { fields: ['query'], credentials: { parameter: 'connection', words: 'the connection string' } },
  prometheus: { fields: ['serverAddress', 'query'] },
};
