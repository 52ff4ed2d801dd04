import { type KubeObject, TYPES } from '../../operator/kube/index.ts';
import { type KindName, manifestsOf, Objects, type ServedTypes } from '../cluster/index.ts';
import type { FaultsStep, StepContext, Until, UntilObject } from './options.ts';
import { objectsOf, type Region, typesOf } from './region.ts';
import type { Step } from './scenario.ts';
import type { World } from './world.ts';

/** What the steps of a scenario need to know. */
export interface StepSettings {
  readonly types: ServedTypes;
  readonly region: () => Region;
}

/** An operator that has written nothing for so long after a change has nothing to do about it. */
const NOTHING_MS = 3_000;

/** Where a world was when its step began. */
interface Beginning {
  readonly writes: number;
  readonly at: number;
}

/** The steps as the campaign runs them. */
export function stepsOf(steps: readonly FaultsStep[], settings: StepSettings): readonly Step[] {
  const beginnings = new WeakMap<World, Beginning>();
  return steps.map((step, index) => {
    const name = step.name ?? titleOf(step, index);
    const waits = [step.until ?? (step.delete === undefined ? 'settled' : 'gone')].flat() as readonly Until[];
    const manifests = manifestsOf(step.apply ?? [], `scenario[${index}].apply`);
    return {
      name,
      act: async (world) => {
        beginnings.set(world, { writes: world.proxy.writes, at: performance.now() });
        const context = contextOf(world, settings);
        for (const manifest of manifests) await context.objects.apply(manifest);
        if (step.patch !== undefined) await context.objects.patch(step.patch.kind, step.patch.name, step.patch.body);
        if (step.delete !== undefined) await context.objects.delete(step.delete.kind, step.delete.name);
        await step.do?.(context);
      },
      reached: async (world) => {
        for (const wait of waits) {
          const isReached =
            wait === 'settled' ? hasReacted(world, beginnings.get(world)) : isSo(wait, step, world, settings);
          if (!(await isReached)) return false;
        }
        return true;
      },
    };
  });
}

/** Whether the operator has begun to write, or has nothing to do. */
const hasReacted = ({ proxy }: World, { writes, at }: Beginning = { writes: 0, at: 0 }): boolean =>
  proxy.writes > writes || performance.now() - at > NOTHING_MS;

const contextOf = ({ client, namespace }: World, { types }: StepSettings): StepContext => ({
  namespace,
  client,
  objects: new Objects(client, types, namespace),
});

/** What a step does, where it has no name. */
function titleOf(step: FaultsStep, index: number): string {
  if (step.delete !== undefined) return `delete ${named(step.delete)}`;
  if (step.patch !== undefined) return `patch ${named(step.patch)}`;
  return `step ${index + 1}`;
}

const named = ({ kind, name }: { readonly kind: KindName; readonly name: string }): string =>
  `${typeof kind === 'string' ? kind : kind.kind}/${name}`;

async function isSo(
  wait: Exclude<Until, 'settled'>,
  step: FaultsStep,
  world: World,
  settings: StepSettings,
): Promise<boolean> {
  const context = contextOf(world, settings);
  if (typeof wait === 'function') return wait(context);
  if (wait === 'gone') {
    const { delete: deleted } = step;
    if (deleted !== undefined && (await context.objects.find(deleted.kind, deleted.name)) !== undefined) return false;
    return (await orphansIn(world, settings.region())) === 0;
  }
  return isReached(wait, await context.objects.find(wait.kind, wait.name));
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
}

interface Status {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

/** Whether an object is as it is waited for. */
export function isReached({ condition, holds, gone }: UntilObject, object: KubeObject | undefined): boolean {
  if (gone === true) return object === undefined;
  if (object === undefined) return false;
  return (condition === undefined || hasCondition(object, condition)) && (holds === undefined || holds(object));
}

/** A condition that is about an earlier spec says nothing of this one. */
function hasCondition({ metadata: { generation }, status }: KubeObject, type: string): boolean {
  const { observedGeneration, conditions = [] } = (status ?? {}) as Status;
  const found = conditions.find((condition) => condition.type === type);
  const isAboutThis = [observedGeneration, found?.observedGeneration].every(
    (seen) => seen === undefined || seen === generation,
  );
  return found?.status === 'True' && isAboutThis;
}

/** How many objects wait for the garbage collector, since what owned them is gone. */
async function orphansIn(world: World, region: Region): Promise<number> {
  const types = [...typesOf(region, world), TYPES.pod];
  const objects = (await Promise.all(types.map((type) => objectsOf(world, region, type)))).flat();
  return orphansOf(objects, new Set(types.map(({ kind }) => kind)), world.baseline).length;
}

/**
 * The objects one of whose owners is gone.
 *
 * @param kinds - the kinds of all that are looked at: an owner of another kind is unknown, not gone
 * @param others - UIDs of more objects that are there
 */
export function orphansOf(
  objects: readonly KubeObject[],
  kinds: ReadonlySet<string>,
  others: ReadonlySet<string> = new Set(),
): readonly KubeObject[] {
  const alive = new Set(objects.map(({ metadata }) => metadata.uid)).union(others);
  return objects.filter(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some(({ kind, uid }) => kinds.has(kind) && !alive.has(uid)),
  );
}

/** The step that deletes what the scenario is about, where the scenario has none. */
export const deletionOf = (kind: KindName): FaultsStep => ({
  name: 'delete',
  do: async ({ objects }) => {
    for (const { metadata } of await objects.list(kind)) await objects.delete(kind, metadata.name);
  },
  until: [async ({ objects }) => (await objects.list(kind)).length === 0, 'gone'],
});
