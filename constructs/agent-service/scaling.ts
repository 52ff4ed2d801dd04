import { autoscaler, prometheusTrigger } from '../parts/autoscaling.ts';
import type { Behavior, Trigger } from '../parts/autoscaling.ts';
import type { Manifest } from '../workload.ts';
import { ownMetadata } from './blueprint.ts';
import type { Blueprint } from './blueprint.ts';
import { QUEUE_TABLE } from './queues.ts';
import type { AgentServiceSpec } from './spec.ts';

type Autoscaling = NonNullable<AgentServiceSpec['autoscaling']>;
type Queue = NonNullable<Autoscaling['queue']>;

/** Seconds that the load must be low before a replica goes: Kubernetes' own default, and the most that it takes. */
const SHORTEST_LULL = 300;
const LONGEST_LULL = 3600;

/** An autoscaler; one that asks a queue needs KEDA. */
export const scaler = (blueprint: Blueprint, { minReplicas, maxReplicas, targets, queue }: Autoscaling): Manifest =>
  autoscaler(ownMetadata(blueprint), {
    target: blueprint.name,
    minReplicas,
    maxReplicas,
    cpuPercent: targets.cpuPercent,
    triggers: queue && targets.queueDepth !== undefined ? [triggerOf(blueprint.name, queue, targets.queueDepth)] : [],
    behavior: behaviorOf(blueprint.spec),
  });

/**
 * An agent starts in seconds, so it is scaled up at once. A replica is given up only when the load has been low for as
 * long as the longest run takes: nobody can choose an idle one.
 */
function behaviorOf({ drain }: AgentServiceSpec): Behavior {
  const lull = Math.min(LONGEST_LULL, Math.max(SHORTEST_LULL, drain.timeoutSeconds));
  return { scaleDown: { stabilizationWindowSeconds: lull } };
}

function triggerOf(name: string, queue: Queue, depth: number): Trigger {
  const authentication = queue.credentials ? name : undefined;
  return { ...sourceOf(queue, depth), ...(authentication !== undefined && { authentication }) };
}

function sourceOf(queue: Queue, depth: number): Trigger {
  const { type, address = '', list = '', host = '', queueName = '', query = '', serverAddress = '' } = queue;
  const name = 'queue-depth';
  switch (type) {
    case 'redis':
      return { type, name, metadata: { address, listName: list, listLength: String(depth) } };
    case 'rabbitmq': {
      // A URL here would win over the one with user and password.
      const where = queue.credentials ? {} : { host };
      return { type, name, metadata: { ...where, queueName, mode: 'QueueLength', value: String(depth) } };
    }
    case 'postgresql':
      return { type, name, metadata: { query, targetQueryValue: String(depth) } };
    case 'prometheus': {
      const trigger = prometheusTrigger(serverAddress, { name, query, threshold: depth });
      return queue.credentials ? { ...trigger, metadata: { ...trigger.metadata, authModes: 'bearer' } } : trigger;
    }
  }
}

/** Where KEDA finds what it shows to the queue. It reads the Secret with its own rights. */
export const triggerAuthentication = (
  blueprint: Blueprint,
  { type, credentials }: Queue & Required<Pick<Queue, 'credentials'>>,
): Manifest => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'TriggerAuthentication',
  metadata: ownMetadata(blueprint),
  spec: {
    secretTargetRef: [{ parameter: QUEUE_TABLE[type].parameter, name: credentials.secretName, key: credentials.key }],
  },
});
