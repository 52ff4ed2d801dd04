import { distributedTraining } from '../../constructs/distributed-training/kind.ts';
import type { Reader } from './conversion.ts';
import { reportConfinement } from './confinement.ts';
import { below, taken, reported } from './fates.ts';
import type { Fields } from './fields.ts';
import { mainContainer } from './pods.ts';
import { queueOf, QUEUE_FATES, replicaFates, suspendOf, trainerOf } from './training.ts';

/** What happens to the pod of a Job. */
const POD = Object.fromEntries(Object.entries(replicaFates).filter(([path]) => path.startsWith('template')));

const ONE = reported('a trial of one pod is one rank: a training of several has replicas', [1]);

/**
 * A Job of Kubernetes, as a trial of Katib is: a training of one rank. Its fields are those of k8s.io/api v0.34.0,
 * batch/v1/types.go.
 */
export const batchJob = {
  group: 'batch',
  kind: 'Job',
  fates: {
    ...QUEUE_FATES,
    ...below('spec', POD),
    'spec.template.spec.restartPolicy': reported('the training starts again by retry.limit', ['Never', 'OnFailure']),
    'spec.backoffLimit': taken('spec.retry.limit'),
    'spec.activeDeadlineSeconds': taken('spec.activeDeadlineSeconds'),
    'spec.ttlSecondsAfterFinished': reported('trials stay until the search goes'),
    'spec.suspend': taken('spec.suspend'),
    'spec.parallelism': ONE,
    'spec.completions': ONE,
    'spec.completionMode': reported('a rank has its number as RANK', ['NonIndexed']),
    'spec.backoffLimitPerIndex': reported('a trial of one pod has retry.limit'),
    'spec.maxFailedIndexes': reported('a trial of one pod has retry.limit'),
    'spec.podFailurePolicy': reported('preempted, drained and lost pods are never counted here'),
    'spec.podReplacementPolicy': reported('the next attempt starts once no pod of the one before is left'),
    'spec.successPolicy': reported('a trial of one pod succeeds as its program does'),
    'spec.managedBy': reported('queue names a LocalQueue of Kueue', ['kubernetes.io/job-controller']),
    'spec.manualSelector': reported('pods are found by the labels of the training', [false]),
    'spec.selector': reported('pods are found by the labels of the training'),
  },
  read: (fields) => ({ kind: distributedTraining, spec: readNamed(fields, undefined) }),
  readNamed,
} satisfies Reader & { readonly readNamed: typeof readNamed };

/** @param container - the name of the container whose program is the training; undefined for the first */
function readNamed(fields: Fields, container: string | undefined): object {
  const template = fields.at('spec.template');
  const spec = fields.at('spec');
  const queue = queueOf(fields);
  reportConfinement(fields);
  fields.report('spec.framework', 'is pytorch, which suits any program of one rank: it only sets variables');
  const limit = spec.carry('backoffLimit', { type: 'integer', minimum: 0, maximum: 100 });
  const seconds = spec.carry('activeDeadlineSeconds', { type: 'integer', minimum: 1, maximum: 31_536_000 });
  return {
    framework: 'pytorch',
    ...trainerOf(template, mainContainer(template.at('spec'), container ?? '')),
    replicas: 1,
    procsPerNode: 1,
    ...(limit !== undefined && { retry: { limit } }),
    ...(seconds !== undefined && { activeDeadlineSeconds: seconds }),
    ...(queue.name !== undefined && { queue: queue.name }),
    ...suspendOf(spec, queue.isOfKueue),
  };
}
