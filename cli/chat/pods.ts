import type { AgentServiceSpec } from '../../constructs/agent-service/spec.ts';
import type { ModelServingSpec } from '../../constructs/model-serving/spec.ts';
import { plainText } from '../../constructs/parts/values/index.ts';
import type { Resource } from '../../operator/engine/api/index.ts';
import { listAll } from '../../operator/engine/observe/index.ts';
import { ApiError, type KubeClient, type KubeObject, TYPES } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import { primaryCondition } from '../status/primary-condition.ts';
import type { Target } from './target.ts';

/** Longest words of a condition that are told. */
const LONGEST_WORDS = 1_000;

/** The rights that a chat takes beside that to get the resource. */
const NEEDED_RIGHTS = 'chat needs the rights to list pods, and to get and create pods/portforward';

/**
 * The pods that take requests, by name: the same one is asked again while it is there, since it remembers the beginning of a
 * conversation.
 *
 * @throws CliError where they may not be listed
 */
export async function readyPods(client: KubeClient, { namespace, selector }: Target): Promise<readonly string[]> {
  if (selector === undefined) return [];
  try {
    const pods = await listAll(client, TYPES.pod, namespace, selector);
    return pods.filter(isReady).map(({ metadata }) => metadata.name);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    throw lacksRight(error);
  }
}

/** What the API server refuses. To forward a port it says no more than `pods "llama-0" is forbidden: ` where only `create` is missing. */
export function lacksRight({ message }: ApiError): CliError {
  const words = message.trim();
  return new CliError(`${words.endsWith(':') ? words.slice(0, -1) : words}; ${NEEDED_RIGHTS}`);
}

interface WithConditions {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** A pod that is told to end may be ready for a while, and takes no new requests. */
function isReady(pod: KubeObject): boolean {
  const { status } = pod as KubeObject & WithConditions;
  const isServing = status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
  return isServing && pod.metadata.deletionTimestamp === undefined;
}

/** Why no pod of a resource takes requests, and what to type. */
export function whyNoPod(
  { reference, namespace }: Pick<Target, 'reference' | 'namespace'>,
  resource: Resource,
): string {
  const { metadata, status = {} } = resource;
  const spec = resource.spec as Partial<ModelServingSpec & AgentServiceSpec>;
  const follow = `trunnion status ${reference} -n ${namespace} --watch`;
  if (metadata.deletionTimestamp !== undefined) return `${reference} is being deleted: no pod takes requests any more`;
  if (spec.retired === true) {
    const back = `kubectl patch -n ${namespace} ${reference} --type=merge -p '{"spec":{"retired":false}}'`;
    return `${reference} is out of service, since spec.retired is true. To bring it back: ${back}`;
  }
  if (spec.replicas === 0) {
    const scale = `kubectl scale -n ${namespace} ${reference} --replicas=1`;
    return `${reference} is scaled to zero, since spec.replicas is 0. To start it: ${scale}`;
  }
  if (spec.autoscaling?.minReplicas === 0 && (status as { readonly replicas?: number }).replicas === 0) {
    return `${reference} is scaled to zero while its queue is empty. Put a task into the queue, or set spec.autoscaling.minReplicas to 1`;
  }
  const { phase, conditions = [] } = status;
  if (phase === undefined)
    return `${reference} was not looked at by an operator yet; trunnion doctor -n ${namespace} says why`;
  const { message = '' } = primaryCondition(conditions) ?? {};
  const words = plainText(message, { max: LONGEST_WORDS });
  return `no pod of ${reference} is ready: it is ${phase}${words === '' ? '' : ` (${words})`}. To follow it: ${follow}`;
}
