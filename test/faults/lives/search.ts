import type { Life, Turn } from '../life.ts';
import type { World } from '../world.ts';

const NAME = 'life';
const TRIALS = 5;
const AT_A_TIME = 2;

interface Search {
  readonly status?: {
    readonly phase?: string;
    readonly tuning?: { readonly trials: readonly { readonly phase: string }[] };
  };
}

interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly containers: readonly { readonly env: readonly { readonly name: string; readonly value?: string }[] }[];
  };
  readonly status: { readonly phase: string };
}

const trainingsIn = ({ namespace }: World): string =>
  `/apis/trunnion.dev/v1alpha1/namespaces/${namespace}/distributedtrainings`;

const podsIn = ({ namespace }: World): string => `/api/v1/namespaces/${namespace}/pods`;

const simulated = (name: string): string => `sim.trunnion.dev/${name}`;

const spec = {
  framework: 'pytorch',
  image: 'pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime',
  command: ['python', 'train.py', '--rate=${rate}'],
  // So that the nodes which trials are told to have run on are the same in every life.
  nodeSelector: { 'kubernetes.io/hostname': 'cpu-0' },
  podTemplate: { metadata: { annotations: { [simulated('delay-seconds')]: '600' } } },
  tuning: {
    maxTrials: TRIALS,
    parallelTrials: AT_A_TIME,
    objective: { metric: 'accuracy', goal: 'maximize' },
    parameters: {
      rate: { type: 'float', min: 0.001, max: 1, scale: 'log' },
      batch: { type: 'int', values: [16, 32, 64] },
    },
  },
};

const apply = (world: World) =>
  world.api.apply(`${trainingsIn(world)}/${NAME}`, {
    apiVersion: 'trunnion.dev/v1alpha1',
    kind: 'DistributedTraining',
    metadata: { name: NAME, namespace: world.namespace },
    spec,
  });

/** The earliest trial is done first, and only once all run that may: so a search goes the same way in every life. */
async function finishNext(world: World, ended: number): Promise<void> {
  const { items } = (await world.api.get(podsIn(world))) as { readonly items: readonly Pod[] };
  const going = items.filter(({ status }) => status.phase === 'Running');
  const isTold = going.some(({ metadata }) => metadata.annotations?.[simulated('message')] !== undefined);
  if (isTold || going.length < Math.min(AT_A_TIME, TRIALS - ended)) return;
  const [first] = going.toSorted((a, b) => trialOf(a) - trialOf(b));
  if (first === undefined) return;
  const valueOf = (name: string) => Number(first.spec.containers[0]?.env.find((each) => each.name === name)?.value);
  const accuracy = 1 - (Math.log10(valueOf('rate')) + 2) ** 2 / 10 - Math.abs(valueOf('batch') - 32) / 100;
  const annotations = { [simulated('message')]: `accuracy=${accuracy}`, [simulated('delay-seconds')]: '0' };
  const metadata = { name: first.metadata.name, annotations };
  await world.api.apply(`${podsIn(world)}/${metadata.name}`, { apiVersion: 'v1', kind: 'Pod', metadata });
}

const trialOf = ({ metadata }: Pod): number =>
  Number(metadata.labels['app.kubernetes.io/instance']?.slice(NAME.length + 1));

async function isCompleted(world: World): Promise<boolean> {
  const { status } = (await world.api.get(`${trainingsIn(world)}/${NAME}`)) as Search;
  if (status?.phase === 'Completed') return true;
  await finishNext(world, (status?.tuning?.trials ?? []).filter(({ phase }) => phase === 'Completed').length);
  return false;
}

async function isGone(world: World): Promise<boolean> {
  const { items } = (await world.api.get(trainingsIn(world))) as { readonly items: readonly unknown[] };
  return items.length === 0;
}

const turn = (name: string, act: Turn['act'], reached: Turn['reached']): Turn => ({ name, act, reached });

/** A search of some trials, two at a time, and its end. */
export const searchLife: Life = {
  kind: 'DistributedTraining with tuning',
  turns: [
    turn('search', apply, isCompleted),
    turn('delete', (world) => world.api.delete(`${trainingsIn(world)}/${NAME}`), isGone),
  ],
};
