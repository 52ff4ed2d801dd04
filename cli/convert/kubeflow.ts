import { isDeepStrictEqual } from 'node:util';
import { distributedTraining } from '../../constructs/distributed-training/kind.ts';
import type { Reader } from './conversion.ts';
import type { Fields } from './fields.ts';
import {
  carried,
  containerParts,
  given,
  mainContainer,
  podFieldsOf,
  podHints,
  podTemplateOf,
  resourcesOf,
} from './pods.ts';

const MASTER = 'spec.pytorchReplicaSpecs.Master';
const WORKER = 'spec.pytorchReplicaSpecs.Worker';

/** Kubeflow's PyTorchJob: its master is the first of ranks that are all alike. */
export const pytorchJob: Reader = {
  group: 'kubeflow.org',
  kind: 'PyTorchJob',
  hints: {
    [`${MASTER}.template`]: 'differs from the workers’: ranks are all alike here, and the first is the master',
    [`${MASTER}.restartPolicy`]: 'all ranks start anew together: retry says how often',
    [`${WORKER}.restartPolicy`]: 'all ranks start anew together: retry says how often',
    'spec.runPolicy.cleanPodPolicy': 'pods stay until the resource goes',
    'spec.runPolicy.schedulingPolicy': 'queue and gang.scheduler start all ranks together',
    'spec.runPolicy.managedBy': 'queue names a LocalQueue of Kueue',
    'spec.elasticPolicy': 'elastic has minReplicas and maxReplicas; the rendezvous is made by Trunnion',
    ...podHints(`${WORKER}.template.spec`),
  },
  read(fields) {
    const [main, other] = fields.peek(WORKER) === undefined ? [MASTER, WORKER] : [WORKER, MASTER];
    const template = fields.at(`${main}.template`);
    const same = isDeepStrictEqual(fields.peek(`${main}.template`), fields.peek(`${other}.template`));
    if (same) fields.take(`${other}.template`);
    const count = (role: string) => (fields.peek(role) === undefined ? 0 : (fields.number(`${role}.replicas`) ?? 1));
    const container = mainContainer(template.at('spec'), 'pytorch');
    const run = fields.at('spec.runPolicy');
    const limit = run.number('backoffLimit');
    return {
      kind: distributedTraining,
      spec: {
        framework: 'pytorch',
        ...trainerOf(container),
        replicas: count(MASTER) + count(WORKER),
        ...procsOf(fields),
        ...(limit !== undefined && { retry: { limit } }),
        ...elasticOf(fields.at('spec.elasticPolicy')),
        ...carried(run, ['suspend', 'activeDeadlineSeconds', 'ttlSecondsAfterFinished']),
        ...queueOf(run),
        ...podPartsOf(template, container),
      },
    };
  },
};

/** `auto`, `cpu` and `gpu` are left to be told, as is what the other of two says otherwise. */
function procsOf(fields: Fields): object {
  const [own, elastic] = ['spec.nprocPerNode', 'spec.elasticPolicy.nProcPerNode'] as const;
  const count = fields.count(own) ?? fields.count(elastic);
  fields.count(elastic, count);
  return given('procsPerNode', count);
}

function elasticOf(policy: Fields): object {
  const isBounded = [policy.peek('minReplicas'), policy.peek('maxReplicas')].every((bound) => bound !== undefined);
  return isBounded ? { elastic: carried(policy, ['minReplicas', 'maxReplicas']) } : {};
}

function queueOf(run: Fields): object {
  const queue = run.text('schedulingPolicy.queue');
  if (queue !== undefined) run.note('schedulingPolicy.queue', 'is a queue of Volcano: name a LocalQueue of Kueue');
  return given('queue', queue);
}

const trainerOf = (container: Fields): object => ({
  ...given('image', container.take('image')),
  ...given('command', container.take('command')),
  ...given('args', container.take('args')),
  ...given('env', container.take('env')),
  resources: resourcesOf(container.at('resources')),
});

function podPartsOf(template: Fields, container: Fields): object {
  const pod = podFieldsOf(template.at('spec'));
  const metadata = carried(template.at('metadata'), ['labels', 'annotations']);
  return { ...pod.own, ...podTemplateOf('trainer', pod.template, containerParts(container), metadata) };
}

/** The framework of a runtime, by the name that Kubeflow gives its own. */
const RUNTIMES: readonly (readonly [name: RegExp, framework: string])[] = [
  [/jax/, 'jax'],
  [/mpi|deepspeed|mlx/, 'mpi'],
  [/torch/, 'pytorch'],
];

/** Kubeflow Trainer's TrainJob. */
export const trainJob: Reader = {
  group: 'trainer.kubeflow.org',
  kind: 'TrainJob',
  hints: {
    'spec.initializer': 'data and models are brought by the program, or lie on a volume of podTemplate',
    'spec.runtimePatches': 'podTemplate takes what is merged into pods',
    'spec.podTemplateOverrides': 'podTemplate takes what is merged into pods',
    'spec.managedBy': 'queue names a LocalQueue of Kueue',
  },
  read(fields) {
    const spec = fields.at('spec');
    const trainer = spec.at('trainer');
    const runtime = spec.text('runtimeRef.name') ?? '';
    const [, framework = 'pytorch'] = RUNTIMES.find(([name]) => name.test(runtime)) ?? [];
    spec.note(
      'runtimeRef',
      'only the framework follows from it: carry image, command and resources of the runtime over',
    );
    spec.take('runtimeRef');
    return {
      kind: distributedTraining,
      spec: {
        framework,
        ...given('image', trainer.take('image')),
        ...given('command', trainer.take('command')),
        ...given('args', trainer.take('args')),
        ...given('env', trainer.take('env')),
        replicas: trainer.number('numNodes') ?? 1,
        ...given('procsPerNode', trainer.number('numProcPerNode')),
        resources: resourcesOf(trainer.at('resourcesPerNode')),
        ...carried(spec, ['suspend', 'activeDeadlineSeconds']),
        ...podTemplateOf('trainer', {}, {}, carried(spec, ['labels', 'annotations'])),
      },
    };
  },
};
