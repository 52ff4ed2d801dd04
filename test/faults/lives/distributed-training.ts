import type { Life, Turn } from '../life.ts';
import type { World } from '../world.ts';

interface Training {
  readonly metadata: { readonly generation: number };
  readonly status?: {
    readonly phase?: string;
    readonly observedGeneration?: number;
    readonly attempt?: number;
    readonly failures?: number;
  };
}

interface Pod {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
}

const NAME = 'life';

const pathIn = (world: World): string =>
  `/apis/trunnion.dev/v1alpha1/namespaces/${world.namespace}/distributedtrainings/${NAME}`;

const podsIn = ({ namespace }: World): string => `/api/v1/namespaces/${namespace}/pods`;

const simulated = (name: string, value: string) => ({ [`sim.trunnion.dev/${name}`]: value });

const spec = {
  framework: 'pytorch',
  image: 'pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime',
  command: ['torchrun', 'train.py'],
  replicas: 2,
  checkpoint: { uri: 's3://ml-checkpoints/life', graceSeconds: 1 },
  retry: { limit: 6, backoffSeconds: 1, maxBackoffSeconds: 1 },
  // So that the nodes which attempts are told to have ended on are the same in every life.
  nodeSelector: { 'kubernetes.io/hostname': 'cpu-0' },
  podTemplate: { metadata: { annotations: simulated('delay-seconds', '600') } },
};

/** Whether the training is in a phase, with this attempt and so many failures. */
const isIn =
  (phase: string, attempt: number, failures: number) =>
  async (world: World): Promise<boolean> => {
    const { metadata, status } = (await world.api.get(pathIn(world))) as Training;
    return (
      status?.phase === phase &&
      status.observedGeneration === metadata.generation &&
      status.attempt === attempt &&
      status.failures === failures
    );
  };

/** Applies the spec with some fields changed. */
const apply = (change: object) => (world: World) =>
  world.api.apply(pathIn(world), {
    apiVersion: 'trunnion.dev/v1alpha1',
    kind: 'DistributedTraining',
    metadata: { name: NAME, namespace: world.namespace },
    spec: { ...spec, ...change },
  });

/** Has the simulated kubelet do something with the ranks that `which` picks. */
const simulate = (name: string, value: string, which: (rank: string) => boolean) => async (world: World) => {
  const { items } = (await world.api.get(podsIn(world))) as { readonly items: readonly Pod[] };
  for (const { metadata } of items) {
    if (!which(metadata.labels['batch.kubernetes.io/job-completion-index'] ?? '')) continue;
    await world.api.apply(`${podsIn(world)}/${metadata.name}`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: metadata.name, annotations: simulated(name, value) },
    });
  }
};

const turn = (name: string, act: Turn['act'], reached: Turn['reached']): Turn => ({ name, act, reached });

const edited = { hyperparameters: { EPOCHS: '3' } };

/** Create, a rank that fails twice, a change, suspend, resume, complete, delete. */
export const distributedTrainingLife: Life = {
  kind: 'DistributedTraining',
  turns: [
    turn('create', apply({}), isIn('Running', 1, 0)),
    turn(
      'failure',
      simulate('fail', '1', (rank) => rank === '1'),
      isIn('Running', 2, 1),
    ),
    turn(
      'second failure',
      simulate('fail', '1', (rank) => rank === '1'),
      isIn('Running', 3, 2),
    ),
    turn('change', apply(edited), isIn('Running', 4, 2)),
    turn('suspend', apply({ ...edited, suspend: true }), isIn('Suspended', 5, 2)),
    turn('resume', apply(edited), isIn('Running', 5, 2)),
    turn(
      'complete',
      simulate('delay-seconds', '0', () => true),
      isIn('Completed', 5, 2),
    ),
    {
      name: 'delete',
      act: (world) => world.api.delete(pathIn(world)),
      reached: async (world) =>
        await world.api.get(pathIn(world)).then(
          () => false,
          (error: unknown) => (error as { status?: number }).status === 404,
        ),
    },
  ],
};
