import { Answers } from '../../operator/engine/answers.ts';
import { decorate } from '../../operator/engine/decorate.ts';
import type { Ask, Fact } from '../../operator/engine/asks.ts';
import { Computations } from '../../operator/engine/computations.ts';
import type { CommonStatus, Kind, RenderedChild, Resource, Snapshot } from '../../operator/engine/kind.ts';
import { type DesiredChild, makePlan, type Plan } from '../../operator/engine/plan.ts';
import { snapshotOf } from '../../operator/engine/snapshot.ts';
import { Discovery, type KubeClient } from '../../operator/kube/index.ts';
import { describe } from '../errors.ts';

/** What the operator would do with a resource. */
export interface Future {
  readonly snapshot: Snapshot;
  /** What the operator would say of the resource. */
  readonly status: CommonStatus;
  /** Whether it would say nothing yet, for want of what one look can't find out. */
  readonly undecided: boolean;
  /** The engine's plan: what it would do at once. */
  readonly plan: Plan;
  /** What it would have now, as the construct gives it. */
  readonly rendered: readonly RenderedChild[];
  /** What it comes to in the end. */
  readonly desired: readonly DesiredChild[];
}

/** Looks at the live children of a resource, and decides as the operator would. */
export async function futureOf(client: KubeClient, kind: Kind, resource: Resource): Promise<Future> {
  const discovery = new Discovery(client);
  const bare = await snapshotOf(client, kind, resource, (type) => discovery.isServed(type));
  return futureFrom(client, kind, bare);
}

/** Decides as the operator would on what there is, or would be; facts are found out. */
export async function futureFrom(client: KubeClient, kind: Kind, bare: Snapshot): Promise<Future> {
  const { resource } = bare;
  const discovery = new Discovery(client);
  const { asks } = kind.conduct(bare, Date.now());
  const snapshot = { ...bare, facts: await answersTo(asks, client, discovery, { kind, resource }) };

  const { runtime, status, replace = [], undecided = false } = kind.conduct(snapshot, Date.now());
  const decorated = (children: readonly RenderedChild[]) => children.map((child) => decorate(child, resource));
  const rendered = kind.render(resource, runtime);
  const plan = makePlan({
    desired: decorated(rendered),
    observed: snapshot.children,
    ownerUid: resource.metadata.uid,
    pods: snapshot.pods,
    replace,
  });
  const settled = kind.conduct({ ...snapshot, resource: settledOf(resource) }, Date.now());
  return { snapshot, status, undecided, plan, rendered, desired: decorated(kind.render(resource, settled.runtime)) };
}

/** The resource as if nothing of an earlier spec served any more. */
function settledOf(resource: Resource): Resource {
  const { served: _, ...status }: CommonStatus & { readonly served?: unknown } = resource.status ?? {};
  return { ...resource, status };
}

const IN_ONE_LOOK: ReadonlySet<Ask['type']> = new Set(['secret', 'configMap', 'served', 'object', 'computation']);

/**
 * What can be found out in one look: single objects, Secrets, ConfigMaps, what the API server serves, and what is computed.
 */
async function answersTo(
  asks: readonly Ask[],
  client: KubeClient,
  discovery: Discovery,
  { kind, resource }: { readonly kind: Kind; readonly resource: Resource },
): Promise<Readonly<Record<string, Fact>>> {
  const now = () => Date.now();
  const isServed = discovery.isServed.bind(discovery);
  const answers = new Answers({ client, isServed, pod: () => undefined, now });
  const computations = new Computations();
  const answer = async (ask: Ask): Promise<Fact> =>
    ask.type === 'computation'
      ? { ...(await computations.answer(kind, ask, resource)), at: now() }
      : answers.answer(ask, resource);
  try {
    const facts = asks
      .filter(({ type }) => IN_ONE_LOOK.has(type))
      .map(async (ask) => [ask.id, await answer(ask).catch(unknown)] as const);
    return Object.fromEntries(await Promise.all(facts));
  } finally {
    await Promise.all([answers.close(), computations.close()]);
  }
}

/** A person may have fewer rights than the operator. */
const unknown = (error: unknown): Fact => ({ at: Date.now(), type: 'unknown', message: describe(error) });
