import { ApiError } from '../../../cluster/api.ts';
import type { Life, Turn } from '../life.ts';
import type { World } from '../world.ts';

interface Serving {
  readonly metadata: { readonly generation: number };
  readonly spec: { readonly replicas?: number };
  readonly status?: {
    readonly phase?: string;
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly weights?: { readonly uri?: string };
  };
}

const NAME = 'life';

const pathIn = (world: World): string =>
  `/apis/trunnion.dev/v1alpha1/namespaces/${world.namespace}/modelservings/${NAME}`;

const spec = {
  model: { uri: 's3://models/first/' },
  storage: { size: '10Gi', accessMode: 'ReadWriteMany' },
  engine: { type: 'vllm' },
  resources: { gpu: 1, cpu: '1', memory: '1Gi' },
  drain: { timeoutSeconds: 1 },
  replicas: 1,
};

/** Applies the spec with some fields changed, and waits for a phase. */
function turn(name: string, change: object, phase: string, holds: (serving: Serving) => boolean = () => true): Turn {
  return {
    name,
    act: (world) =>
      world.api.apply(pathIn(world), {
        apiVersion: 'trunnion.dev/v1alpha1',
        kind: 'ModelServing',
        metadata: { name: NAME, namespace: world.namespace },
        spec: { ...spec, ...change },
      }),
    reached: async (world) => {
      const serving = (await world.api.get(pathIn(world))) as Serving;
      const { metadata, status } = serving;
      return status?.phase === phase && status.observedGeneration === metadata.generation && holds(serving);
    },
  };
}

async function isGone(world: World): Promise<boolean> {
  return world.api.get(pathIn(world)).then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.status === 404,
  );
}

/** How many children the garbage collector has yet to remove. */
async function leftovers(world: World): Promise<number> {
  const selector = `labelSelector=app.kubernetes.io/instance%3D${NAME}`;
  let count = 0;
  for (const plural of ['serviceaccounts', 'persistentvolumeclaims', 'pods']) {
    const path = `/api/v1/namespaces/${world.namespace}/${plural}?${selector}`;
    count += ((await world.api.get(path)) as { items: readonly unknown[] }).items.length;
  }
  return count;
}

const replicas =
  (count: number) =>
  ({ status }: Serving): boolean =>
    status?.readyReplicas === count;

/** Each turn keeps what the one before changed. */
const scaled = { replicas: 2 };
const tuned = { ...scaled, engine: { type: 'vllm', args: ['--max-model-len=4096'] } };
const second = { ...tuned, model: { uri: 's3://models/second/' } };

/** Create, scale, change arguments, change the model, retire, bring back, delete. */
export const modelServingLife: Life = {
  kind: 'ModelServing',
  turns: [
    turn('create', {}, 'Running', replicas(1)),
    turn('scale', scaled, 'Running', replicas(2)),
    turn('arguments', tuned, 'Running', replicas(2)),
    turn('new model', second, 'Running', ({ status }) => status?.weights?.uri === second.model.uri),
    turn('retire', { ...second, retired: true }, 'Retired'),
    turn('bring back', second, 'Running', replicas(2)),
    {
      name: 'delete',
      act: (world) => world.api.delete(pathIn(world)),
      reached: async (world) => (await isGone(world)) && (await leftovers(world)) === 0,
    },
  ],
};
