import { distributedTraining } from '../../constructs/distributed-training/kind.ts';
import type { Reader } from './conversion.ts';
import { reportConfinement } from './confinement.ts';
import { below, changed, taken, reported } from './fates.ts';
import type { Fates } from './fates.ts';
import type { Fields } from './fields.ts';
import { ENV_FATES } from './pod-fates.ts';
import { podMetadata } from './pod-metadata.ts';
import { carried, given, podTemplateOf } from './pods.ts';
import { resourcesOf } from './resources.ts';
import { QUEUE_FATES, queueOf, suspendOf, TRAINER, TRAINING_KEYS } from './training.ts';

/**
 * The framework of Kubeflow's own runtimes (kubeflow/trainer v2.3.0, manifests/base/runtimes). What another runtime runs
 * is written in the cluster alone.
 */
const RUNTIMES: Readonly<Record<string, string>> = {
  'torch-distributed': 'pytorch',
  'torch-distributed-with-cache': 'pytorch',
  'torchtune-llama3.2-1b': 'pytorch',
  'torchtune-llama3.2-3b': 'pytorch',
  'torchtune-qwen2.5-1.5b': 'pytorch',
  'deepspeed-distributed': 'mpi',
  'mlx-distributed': 'mpi',
  'jax-distributed': 'jax',
};

const BROUGHT = reported('data and models are brought by the program, or lie on a volume of podTemplate');
const PATCHES = reported('podTemplate takes what is merged into pods: carry it over by hand');

const PARTS = 'spec.podTemplate.spec.containers.resources';

const FATES: Fates = {
  ...QUEUE_FATES,
  'spec.runtimeRef': changed(
    'spec.framework',
    'only the framework follows from it: carry image, command and resources of the runtime over',
  ),
  'spec.trainer.image': taken('spec.image'),
  'spec.trainer.command': taken('spec.command'),
  'spec.trainer.args': taken('spec.args'),
  'spec.trainer.env': taken('spec.env'),
  ...below('spec.trainer.env', ENV_FATES),
  'spec.trainer.numNodes': taken('spec.replicas'),
  'spec.trainer.numProcPerNode': taken('spec.procsPerNode'),
  'spec.trainer.resourcesPerNode.limits': taken(`${PARTS}.limits`),
  'spec.trainer.resourcesPerNode.limits.memory': taken('spec.resources.memory'),
  'spec.trainer.resourcesPerNode.requests': taken(`${PARTS}.requests`),
  'spec.trainer.resourcesPerNode.requests.cpu': taken('spec.resources.cpu'),
  'spec.trainer.resourcesPerNode.claims': reported(
    'devices by DRA are not known here, and resources.gpu does not count them: give gpu and gpuResource of a device plugin',
  ),
  'spec.labels': taken('spec.podTemplate.metadata.labels'),
  'spec.annotations': taken('spec.podTemplate.metadata.annotations'),
  'spec.suspend': taken('spec.suspend'),
  'spec.activeDeadlineSeconds': taken('spec.activeDeadlineSeconds'),
  'spec.managedBy': reported('queue names a LocalQueue of Kueue', ['trainer.kubeflow.org/trainjob-controller']),
  'spec.initializer': BROUGHT,
  'spec.datasetConfig': BROUGHT,
  'spec.modelConfig': BROUGHT,
  'spec.runtimePatches': PATCHES,
  'spec.podTemplateOverrides': PATCHES,
  'spec.podSpecOverrides': PATCHES,
};

/** Kubeflow Trainer's TrainJob: kubeflow/trainer v2.3.0 and v2.0.0, manifests/base/crds/trainer.kubeflow.org_trainjobs.yaml. */
export const trainJob: Reader = {
  group: 'trainer.kubeflow.org',
  kind: 'TrainJob',
  fates: FATES,
  ownKeys: TRAINING_KEYS,
  read: readTrainJob,
};

/** Its first form: kubeflow/training-operator v1.9.0, manifests/v2/base/crds/kubeflow.org_trainjobs.yaml. */
export const earlyTrainJob: Reader = { ...trainJob, group: 'kubeflow.org' };

function readTrainJob(fields: Fields) {
  const spec = fields.at('spec');
  const trainer = spec.at('trainer');
  const queue = queueOf(fields);
  const resources = resourcesOf(trainer.at('resourcesPerNode'), distributedTraining);
  const framework = frameworkOf(fields, spec);
  reportConfinement(fields);
  const metadata = podMetadata(spec, distributedTraining, {
    labels: [{ path: 'labels' }],
    annotations: [{ path: 'annotations' }],
  });
  return {
    kind: distributedTraining,
    spec: {
      ...given('framework', framework),
      ...carried(trainer, distributedTraining, 'spec', ['image', 'command', 'args', 'env']),
      replicas: trainer.number('numNodes') ?? 1,
      ...given('procsPerNode', procsOf(fields, trainer, framework)),
      resources: resources.own,
      ...suspendOf(spec, queue.isOfKueue),
      ...carried(spec, distributedTraining, 'spec', ['activeDeadlineSeconds']),
      ...given('queue', queue.name),
      ...podTemplateOf(TRAINER.name, {}, resources.template, { metadata }),
    },
  };
}

/** Kubeflow's runtimes of MPI have one process a node where nothing is said; others have one for each GPU, as here. */
function procsOf(fields: Fields, trainer: Fields, framework: string | undefined): number | undefined {
  const given = trainer.count('numProcPerNode');
  if (given !== undefined || framework !== 'mpi' || trainer.peek('numProcPerNode') !== undefined) return given;
  fields.report('spec.procsPerNode', 'is 1, as in the runtime: leave it out for one process a GPU');
  return 1;
}

/** Undefined where the runtime is none of Kubeflow's own. */
function frameworkOf(fields: Fields, spec: Fields): string | undefined {
  const name = spec.peek('runtimeRef.name');
  spec.take('runtimeRef');
  const framework = typeof name === 'string' && Object.hasOwn(RUNTIMES, name) ? RUNTIMES[name] : undefined;
  if (framework === undefined) {
    fields.report(
      'spec.framework',
      "is not known of a runtime that is none of Kubeflow's own: say what the program uses",
    );
  }
  return framework;
}
