import { distributedTraining } from '../../constructs/distributed-training/kind.ts';
import type { Reader } from './conversion.ts';
import { reportConfinement } from './confinement.ts';
import { below, NONE, taken, reported, reportedWhole } from './fates.ts';
import type { Fates } from './fates.ts';
import type { Fields } from './fields.ts';
import { given, isSame, mainContainer } from './pods.ts';
import {
  countOf,
  QUEUE_FATES,
  replicaFates,
  runPolicyFates,
  runPolicyOf,
  startsProcesses,
  trainerOf,
  TRAINING_KEYS,
} from './training.ts';

const MASTER = 'spec.pytorchReplicaSpecs.Master';
const WORKER = 'spec.pytorchReplicaSpecs.Worker';

const ELASTIC = reported('elastic has minReplicas and maxReplicas; the rendezvous is made by Trunnion');

/** Of a master beside workers nothing is taken over: what is the same for both is said by the workers. */
const MASTER_DIFFERS: Fates = {
  [`${MASTER}.template`]: reportedWhole(
    'differs from the workers’: ranks are all alike here, and the first is the master',
  ),
};

/** Of workers of which there are none nothing is taken over. */
const NO_WORKERS: Fates = {
  [`${WORKER}.template`]: reportedWhole('is of no replica: ranks are as the template of the master says'),
};

/** Whether there are workers by name alone. */
const isMasterAlone = (fields: Fields): boolean =>
  fields.peek(MASTER) !== undefined && fields.peek(`${WORKER}.replicas`) === 0;

/**
 * Kubeflow's PyTorchJob: its master is the first of ranks that are all alike. Its fields are those of
 * kubeflow/training-operator v1.9.0, manifests/base/crds/kubeflow.org_pytorchjobs.yaml.
 */
export const pytorchJob: Reader = {
  group: 'kubeflow.org',
  kind: 'PyTorchJob',
  fates: {
    ...QUEUE_FATES,
    ...below(WORKER, replicaFates),
    ...below(MASTER, replicaFates),
    ...below('spec.runPolicy', runPolicyFates),
    'spec.nprocPerNode': taken('spec.procsPerNode'),
    'spec.elasticPolicy': ELASTIC,
    'spec.elasticPolicy.minReplicas': taken('spec.elastic.minReplicas'),
    'spec.elasticPolicy.maxReplicas': taken('spec.elastic.maxReplicas'),
    'spec.elasticPolicy.nProcPerNode': taken('spec.procsPerNode'),
    'spec.elasticPolicy.maxRestarts': reported('retry.limit says how often it starts again'),
    'spec.elasticPolicy.metrics': reported('a training is not scaled by metrics: change replicas between the bounds'),
  },
  fatesOf(fields) {
    if (fields.peek(WORKER) === undefined) return NONE;
    return isMasterAlone(fields) ? NO_WORKERS : MASTER_DIFFERS;
  },
  ownKeys: TRAINING_KEYS,
  read(fields) {
    const role = (path: string) => (fields.peek(path) === undefined ? undefined : fields.at(path));
    const [master, worker] = [role(MASTER), role(WORKER)];
    const [first, other] = isMasterAlone(fields) ? [master, worker] : [worker, master];
    const template = (first ?? master ?? fields.at(MASTER)).at('template');
    const isAlike = isSame(master?.peek('template'), worker?.peek('template'));
    if (isAlike) other?.take('template');
    const container = mainContainer(template.at('spec'), 'pytorch');
    reportConfinement(fields);
    const trainer = trainerOf(template, container);
    return {
      kind: distributedTraining,
      spec: {
        framework: 'pytorch',
        ...trainer,
        replicas: countOf(master) + countOf(worker),
        ...procsOf(fields, container),
        ...elasticOf(fields.at('spec.elasticPolicy')),
        ...runPolicyOf(fields, fields.at('spec.runPolicy'), [master, worker]),
      },
    };
  },
};

/**
 * WORLD_SIZE is the number of pods times that of processes. Kubeflow counts `auto`, `cpu`, `gpu` and nothing as one
 * (getNprocPerNodeInt of pkg/controller.v1/pytorch/envvar.go), and torchrun starts as many as there are GPUs.
 */
function procsOf(fields: Fields, container: Fields): object {
  const [own, elastic] = ['spec.nprocPerNode', 'spec.elasticPolicy.nProcPerNode'] as const;
  const count = fields.count(own) ?? fields.count(elastic);
  fields.count(elastic, count);
  if (count !== undefined) return { procsPerNode: count };
  const given = fields.text(own);
  const words = 'Kubeflow counts one process a pod in WORLD_SIZE';
  if (given !== undefined) fields.note(own, words);
  if (startsProcesses(container)) {
    fields.report('spec.procsPerNode', `is left out: the launcher starts a process for each GPU, and ${words}`);
    return {};
  }
  fields.report('spec.procsPerNode', `is 1, since ${words}: leave it out where the program starts one for each GPU`);
  return { procsPerNode: 1 };
}

function elasticOf(policy: Fields): object {
  const isBounded = [policy.peek('minReplicas'), policy.peek('maxReplicas')].every(
    (bound) => typeof bound === 'number',
  );
  if (!isBounded) return {};
  const [minReplicas, maxReplicas] = [policy.number('minReplicas'), policy.number('maxReplicas')];
  return { elastic: { ...given('minReplicas', minReplicas), ...given('maxReplicas', maxReplicas) } };
}
