import { distributedTraining } from '../../constructs/distributed-training/kind.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { Reader } from './conversion.ts';
import { reportConfinement } from './confinement.ts';
import { below, idle, taken, reported } from './fates.ts';
import type { Fates } from './fates.ts';
import type { Fields } from './fields.ts';
import { hostFileOf, reportHostFiles, withHostFile } from './host-files.ts';
import { ENV_FATES } from './pod-fates.ts';
import { schemaOf } from './known.ts';
import { carried, isSame, mainContainer } from './pods.ts';
import {
  QUEUE_FATES,
  ranksOf,
  replicaFates,
  runPolicyFates,
  runPolicyOf,
  trainerOf,
  TRAINING_KEYS,
} from './training.ts';
import type { Unspecified } from './training.ts';

const LAUNCHER = 'spec.mpiReplicaSpecs.Launcher';
const WORKER = 'spec.mpiReplicaSpecs.Worker';
const CONTAINER = 'template.spec.containers';

const SSHD = reported('workers run the SSH server of the kind, as an ordinary user: the image needs /usr/sbin/sshd');

const ONE = reported('differs from that of the workers: the launcher has its command, args and variables alone');

/** Of the launcher, what it runs; all else is that of the workers. */
const LAUNCHER_FATES: Fates = {
  template: ONE,
  replicas: reported('there is one launcher', [1]),
  restartPolicy: replicaFates['restartPolicy']!,
  [`${CONTAINER}.name`]: idle('the container has the name of its kind here'),
  [`${CONTAINER}.command`]: taken('spec.command'),
  [`${CONTAINER}.args`]: taken('spec.args'),
  [`${CONTAINER}.env`]: taken('spec.env'),
  ...below(`${CONTAINER}.env`, ENV_FATES),
};

/**
 * MPI's, of both operators: kubeflow/training-operator v1.9.0, manifests/base/crds/kubeflow.org_mpijobs.yaml, and
 * kubeflow/mpi-operator v0.8.0, manifests/base/kubeflow.org_mpijobs.yaml.
 */
export const mpiJob: Reader = {
  group: 'kubeflow.org',
  kind: 'MPIJob',
  fates: {
    ...QUEUE_FATES,
    ...below(WORKER, replicaFates),
    [`${WORKER}.restartPolicy`]: reported('all ranks start again together, when the launcher fails', [
      'Never',
      'OnFailure',
    ]),
    [`${WORKER}.${CONTAINER}.command`]: SSHD,
    [`${WORKER}.${CONTAINER}.args`]: SSHD,
    ...below(LAUNCHER, LAUNCHER_FATES),
    ...below('spec.runPolicy', runPolicyFates),
    'spec.slotsPerWorker': taken('spec.procsPerNode'),
    'spec.cleanPodPolicy': runPolicyFates['cleanPodPolicy']!,
    'spec.mainContainer': idle('names the container, which is trainer here'),
    'spec.launcherCreationPolicy': reported('the launcher waits until it reaches all workers', [
      'AtStartup',
      'WaitForWorkersReady',
    ]),
    'spec.mpiImplementation': idle('the variables of Open MPI, MPICH and Intel MPI are all set'),
    'spec.runLauncherAsWorker': reported('the launcher is no worker: add one to replicas', [false]),
    'spec.sshAuthMountPath': reported('ssh gets its key by the variables of MPI, as a copy in the home of the pod', [
      '/root/.ssh',
    ]),
  },
  ownKeys: TRAINING_KEYS,
  read(fields) {
    const [worker, launcher] = [fields.at(WORKER), fields.at(LAUNCHER)];
    const name = fields.text('spec.mainContainer') ?? 'mpi';
    const [works, launches] = [worker, launcher].map((each) => mainContainer(each.at('template.spec'), name)) as [
      Fields,
      Fields,
    ];
    reportConfinement(fields);
    takeSame(worker.at('template.spec'), launcher.at('template.spec'));
    takeSame(works, launches);
    const file = hostFileOf(implementationOf(fields));
    for (const each of [works, launches]) reportHostFiles(each, file);
    const hosted = (given: object): object => withHostFile(given as Json, file) as object;
    const slots = fields.number('spec.slotsPerWorker');
    if (slots === undefined) fields.report('spec.procsPerNode', 'is 1, as slotsPerWorker is where it is left out');
    return {
      kind: distributedTraining,
      spec: {
        framework: 'mpi',
        ...trainerOf(worker.at('template'), works, ['image']),
        ...hosted({
          ...carried(launches, distributedTraining, 'spec', ['command', 'args']),
          ...envOfBoth(works, launches),
        }),
        replicas: fields.peek(WORKER) === undefined ? 1 : ranksOf([worker]),
        procsPerNode: slots ?? 1,
        ...runPolicyOf(fields, fields.at('spec.runPolicy'), [launcher], unspecifiedOf(fields)),
      },
    };
  },
};

/**
 * What is so of a launcher that says nothing: pkg/apis/kubeflow.org/v1/mpi_types.go of kubeflow/training-operator v1.9.0;
 * pkg/apis/kubeflow/v2beta1/default.go of kubeflow/mpi-operator v0.8.0, whose launcher is a Job with the limit of Jobs.
 */
const unspecifiedOf = (fields: Fields): Unspecified =>
  fields.peek('apiVersion') === 'kubeflow.org/v2beta1' ? { policy: 'OnFailure', limit: 6 } : { policy: 'Never' };

/** The implementation of MPI; one that nobody knows is left to be told. */
function implementationOf(fields: Fields): string | undefined {
  const given = fields.peek('spec.mpiImplementation');
  return given === 'OpenMPI' || given === 'Intel' || given === 'MPICH'
    ? fields.text('spec.mpiImplementation')
    : undefined;
}

/** What the launcher says as the workers do is there already. */
function takeSame(one: Fields, other: Fields): void {
  for (const name of other.names) {
    if (isSame(one.peek(name), other.peek(name))) other.take(name);
  }
}

/** The variables of workers, and those of the launcher that they don't have; another value of one is told. */
function envOfBoth(works: Fields, launches: Fields): object {
  const own = (carried(works, distributedTraining, 'spec', ['env'])['env'] ?? []) as readonly Json[];
  const given = new Map(works.items('env').map((each) => [each.peek('name'), each.peek('')]));
  const schema = schemaOf(distributedTraining, 'spec.env').items ?? {};
  const others = launches.items('env').flatMap((each) => {
    if (!given.has(each.peek('name'))) return each.carry('', schema) ?? [];
    if (isSame(given.get(each.peek('name')), each.peek(''))) each.take('');
    return [];
  });
  const env = [...own, ...others];
  return env.length === 0 ? {} : { env };
}
