import { autoscaler, authenticationOf, deploymentTarget, prometheusTrigger } from '../parts/scaling/index.ts';
import type { TriggerAuthenticationSpec, Behavior, Trigger } from '../parts/scaling/index.ts';
import type { PrometheusServer } from '../parts/scaling/schema.ts';
import type { Manifest } from '../workload.ts';
import { ownMetadata } from './render-input.ts';
import type { RenderInput } from './render-input.ts';
import { QUEUE_TABLE, type QueueType } from './queues.ts';
import type { AgentServiceSpec } from './spec.ts';

type Autoscaling = NonNullable<AgentServiceSpec['autoscaling']>;
type Queue = NonNullable<Autoscaling['queue']>;

/** Seconds that the load must be low before a replica goes: Kubernetes' own default, and the most that it takes. */
const SHORTEST_LULL = 300;
const LONGEST_LULL = 3600;

/** An autoscaler; one that asks a queue needs KEDA. */
export const scaler = (input: RenderInput, { minReplicas, maxReplicas, targets, queue }: Autoscaling): Manifest =>
  autoscaler(ownMetadata(input), {
    target: deploymentTarget(input.name),
    minReplicas,
    maxReplicas,
    cpuPercent: targets.cpuPercent,
    triggers: queue && targets.queueDepth !== undefined ? [triggerOf(input.name, queue, targets.queueDepth)] : [],
    behavior: behaviorOf(input.spec),
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
  if (queue.type === 'prometheus')
    return prometheusTrigger(
      serverOf(queue),
      { name: 'queue-depth', query: queue.query ?? '', threshold: depth },
      name,
    );
  return { ...sourceOf(queue.type, queue, depth), ...(queue.credentials && { authentication: { name } }) };
}

function sourceOf(type: Exclude<QueueType, 'prometheus'>, queue: Queue, depth: number): Trigger {
  const { address = '', list = '', host = '', queueName = '', query = '' } = queue;
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
  }
}

/** What the TriggerAuthentication of the agent says; none where nothing is shown, or another one is named. */
export function queueAuthentication(queue: Queue): TriggerAuthenticationSpec | undefined {
  const { type, credentials } = queue;
  if (type === 'prometheus') return authenticationOf(serverOf(queue));
  const parameter = QUEUE_TABLE[type].credentials?.parameter;
  if (!credentials || parameter === undefined) return undefined;
  return { secretTargetRef: [{ parameter, name: credentials.secretName, key: credentials.key }] };
}

const serverOf = ({ serverAddress = '', ...access }: Queue): PrometheusServer => ({ ...access, serverAddress });
