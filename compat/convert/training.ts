import { distributedTraining } from '../../constructs/distributed-training/kind.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { below, changed, taken, reported } from './fates.ts';
import type { Fates } from './fates.ts';
import type { Fields } from './fields.ts';
import { podFates } from './pod-fates.ts';
import type { MainContainer } from './pod-fates.ts';
import { podMetadata } from './pod-metadata.ts';
import { besides, carried, containerParts, given, podFieldsOf, podTemplateOf } from './pods.ts';
import { resourcesOf } from './resources.ts';

/** Where the fields of the container that trains go. */
export const TRAINER: MainContainer = {
  name: 'trainer',
  to: {
    image: taken('spec.image'),
    command: taken('spec.command'),
    args: taken('spec.args'),
    env: taken('spec.env'),
  },
};

/** Labels and annotations of Kueue on a job, and of Kubeflow's own programs. */
export const TRAINING_KEYS: Readonly<Record<string, string>> = {
  'kueue.x-k8s.io/':
    'is read by Kueue on its own kinds alone: queue names the LocalQueue, priorityClassName the priority',
  'training.kubeflow.org/': 'is read by Kubeflow alone',
  'trainer.kubeflow.org/': 'is read by Kubeflow alone',
};

const QUEUE_NAME = 'kueue.x-k8s.io/queue-name';

/** What happens to metadata that trainings have a field for. */
export const QUEUE_FATES: Fates = {
  [`metadata.labels.${QUEUE_NAME}`]: changed('spec.queue'),
  [`metadata.annotations.${QUEUE_NAME}`]: changed('spec.queue'),
};

const ALL_RANKS = 'all ranks start again together';
const NEVER = 'is retry.limit 0: the first failure is the end';

/** Many write them, and the API server takes no notice. */
const NO_FIELD = reported('is no field of a template, and has no effect');

/** What happens to one kind of replicas of a job of Kubeflow's training operator, but for the number of them. */
export const replicaFates: Fates = {
  replicas: taken('spec.replicas'),
  restartPolicy: changed('spec.retry.limit'),
  'template.apiVersion': NO_FIELD,
  'template.kind': NO_FIELD,
  'template.metadata': reported('pods have the names that the kind gives them'),
  'template.metadata.labels': taken('spec.podTemplate.metadata.labels'),
  'template.metadata.annotations': taken('spec.podTemplate.metadata.annotations'),
  ...below('template.spec', podFates(TRAINER)),
  'template.spec.restartPolicy': reported(`restartPolicy of the replicas counts, not that of a pod: ${ALL_RANKS}`),
};

/** What happens to `runPolicy`, which all jobs of Kubeflow's training operator have. */
export const runPolicyFates: Fates = {
  backoffLimit: taken('spec.retry.limit'),
  suspend: taken('spec.suspend'),
  activeDeadlineSeconds: taken('spec.activeDeadlineSeconds'),
  ttlSecondsAfterFinished: taken('spec.ttlSecondsAfterFinished'),
  cleanPodPolicy: reported('pods stay until the resource goes'),
  managedBy: reported('queue names a LocalQueue of Kueue', ['kubeflow.org/training-operator']),
  schedulingPolicy: reported('queue and gang.scheduler start all ranks together'),
  'schedulingPolicy.queue': changed('spec.queue', 'is a queue of Volcano: name a LocalQueue of Kueue'),
};

/**
 * The fields of one's own of a replica's container, and all of its pod.
 *
 * @param names - which of the container's fields are those of all ranks
 */
export function trainerOf(
  template: Fields,
  container: Fields,
  names: readonly string[] = ['image', 'command', 'args', 'env'],
): object {
  const pod = podFieldsOf(template.at('spec'), distributedTraining);
  const hasClaims = template.peek('spec.resourceClaims') !== undefined;
  const resources = resourcesOf(container.at('resources'), distributedTraining, { hasClaims });
  const metadata = podMetadata(template, distributedTraining, {
    labels: [{ path: 'metadata.labels' }],
    annotations: [{ path: 'metadata.annotations' }],
  });
  const parts = { ...containerParts(container, distributedTraining), ...resources.template };
  return {
    ...carried(container, distributedTraining, 'spec', names),
    resources: resources.own,
    ...pod.own,
    ...podTemplateOf(TRAINER.name, pod.template, parts, {
      metadata,
      more: besides(template.at('spec'), container, distributedTraining),
    }),
  };
}

/**
 * What `runPolicy` says, and the queue of the resource.
 *
 * @param unsaid - what is so of replicas that say nothing
 */
export function runPolicyOf(
  fields: Fields,
  run: Fields,
  replicas: readonly (Fields | undefined)[],
  unspecified: Unspecified = { policy: 'OnFailure' },
): object {
  const queue = queueOf(fields, run);
  return {
    ...retryOf(run, replicas, unspecified),
    ...suspendOf(run, queue.isOfKueue),
    ...carried(run, distributedTraining, 'spec', ['activeDeadlineSeconds', 'ttlSecondsAfterFinished']),
    ...given('queue', queue.name),
  };
}

/** `suspend: true` of a job that Kueue queues is Kueue's way to hold it back, and would never be removed here. */
export function suspendOf(spec: Fields, isQueued: boolean): object {
  const suspend = spec.flag('suspend');
  if (suspend !== true || !isQueued) return given('suspend', suspend);
  spec.note('suspend', 'is left out: Kueue holds it back by queue, and starts it');
  return {};
}

/** The queue that Kueue admits it from: a label of the resource, or the queue of a policy. */
export function queueOf(
  fields: Fields,
  run?: Fields,
): { readonly name: string | undefined; readonly isOfKueue: boolean } {
  // Kueue's first releases read an annotation.
  for (const path of ['metadata.labels', 'metadata.annotations']) {
    const keys = fields.at(path);
    const name = keys.text(QUEUE_NAME);
    if (name !== undefined) {
      keys.note(QUEUE_NAME, 'is queue here');
      return { name, isOfKueue: true };
    }
  }
  return { name: run?.text('schedulingPolicy.queue'), isOfKueue: false };
}

/** How often it starts again. Kubeflow starts a replica again without a limit, unless backoffLimit or its policy says so. */
function retryOf(
  run: Fields,
  replicas: readonly (Fields | undefined)[],
  { policy: unspecified, limit: most }: Unspecified,
): object {
  const there = replicas.flatMap((each) => each ?? []);
  const policies = there.map((each) => each.text('restartPolicy') ?? unspecified);
  const limit = run.carry('backoffLimit', { type: 'integer', minimum: 0, maximum: 100 });
  const isNever = policies.length > 0 && policies.every((policy) => policy === 'Never');
  const given = there.filter((each) => each.peek('restartPolicy') !== undefined);
  const unlimited =
    limit === undefined && most === undefined ? `: ${LIMIT} by default, where Kubeflow has no limit` : '';
  const again = `${ALL_RANKS}, at most retry.limit times${unlimited}`;
  for (const replica of given) {
    const policy = replica.text('restartPolicy') ?? '';
    replica.note('restartPolicy', isNever ? NEVER : `${POLICIES[policy] ?? ''}${again}`);
  }
  if (isNever) {
    if (given.length === 0)
      run.report(
        'spec.retry.limit',
        `is 0: the first failure is the end, as Kubeflow does where restartPolicy is left out`,
      );
    if (limit !== undefined && limit !== 0) run.note('backoffLimit', 'has no effect with restartPolicy Never');
    return { retry: { limit: 0 } };
  }
  if (given.length === 0 && unlimited !== '') {
    run.report('spec.retry.limit', `is ${LIMIT} by default, where Kubeflow starts a replica again without a limit`);
  }
  return limit === undefined ? {} : { retry: { limit } };
}

/** What is so at the source where a job does not say it. */
export interface Unspecified {
  readonly policy: 'Never' | 'OnFailure';
  /**
   * How often it starts again.
   *
   * @default - without a limit
   */
  readonly limit?: number;
}

/** The default of retry.limit. */
const LIMIT = 6;

/** What is otherwise under a policy where not all replicas are never started again. */
const POLICIES: Readonly<Record<string, string>> = {
  ExitCode: 'exit codes 1 to 127 are final in Kubeflow, and here they are failures as others: ',
  Never: 'the first failure is the end in Kubeflow, and here it is not, as other replicas are started again: ',
};

/** How many of one kind of replicas there are: one, where nothing is said, or what is not a number of replicas. */
export const countOf = (replica: Fields | undefined): number => {
  const given = replica?.carry('replicas', { type: 'integer', minimum: 0, maximum: MOST_REPLICAS });
  return typeof given === 'number' ? given : replica ? 1 : 0;
};

/** How many ranks there are of replicas of which there may be none: a training has one at least, which is told. */
export function ranksOf(replicas: readonly (Fields | undefined)[]): number {
  const count = replicas.reduce((sum, each) => sum + countOf(each), 0);
  if (count > 0) return count;
  for (const each of replicas) each?.note('replicas', 'a training has one rank at least: give suspend to hold it back');
  return 1;
}

/** Of an int32, as the kinds of Kubeflow have it. */
const MOST_REPLICAS = 2 ** 31 - 1;

/** Whether a command starts one process for each GPU by itself. */
export function startsProcesses(container: Fields): boolean {
  const words = ['command', 'args'].flatMap((name) => texts(container.peek(name)));
  return words.some((word) =>
    /\btorchrun\b|torch\.distributed\.(?:run|launch)\b|\baccelerate\b|\bdeepspeed\b/.test(word),
  );
}

const texts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** The variables of a container, and those that Kubeflow sets beside, made of ours; one that is said already stays. */
export function envWith(fields: Fields, container: Fields, more: Readonly<Record<string, string>>): object {
  const own = (carried(container, distributedTraining, 'spec', ['env'])['env'] ?? []) as readonly Json[];
  const given = new Set(container.items('env').map((each) => each.peek('name')));
  const added = Object.entries(more).filter(([name]) => !given.has(name));
  if (added.length > 0) {
    fields.report('spec.env', `has ${added.map(([name]) => name).join(', ')} beside, which Kubeflow sets`);
  }
  return { env: [...own, ...added.map(([name, value]) => ({ name, value }))] };
}
