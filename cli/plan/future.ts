import { QueryRunner, Computations } from '../../operator/engine/queries/index.ts';
import { decorate, makePlan } from '../../operator/engine/plan/index.ts';
import type { DesiredChild, Plan } from '../../operator/engine/plan/index.ts';
import type {
  Query,
  Answer,
  CommonStatus,
  Kind,
  RenderedChild,
  Resource,
  Snapshot,
} from '../../operator/engine/api/index.ts';
import { observerOf, snapshotOf } from '../../operator/engine/observe/index.ts';
import { finishStatus } from '../../operator/engine/reconcile/index.ts';
import { Discovery, type KubeClient } from '../../operator/kube/index.ts';
import { describe } from '../errors.ts';
import { operatorOfKind } from '../user-kinds/known.ts';

/** What the operator would do with a resource. */
export interface Future {
  readonly snapshot: Snapshot;
  /** What the operator would say of the resource. */
  readonly status: CommonStatus;
  /** Whether it would say nothing yet, for lack of what one look can't find out. */
  readonly waitForAnswers: boolean;
  /** The engine's plan: what it would do at once. */
  readonly plan: Plan;
  /** What it would have now, as the construct gives it. */
  readonly rendered: readonly RenderedChild[];
  /** Its final state. */
  readonly desired: readonly DesiredChild[];
}

/**
 * Looks at the live children of a resource, and decides as the operator would.
 *
 * @param reader - by which the children are read
 */
export async function futureOf(
  client: KubeClient,
  kind: Kind,
  resource: Resource,
  reader: Pick<KubeClient, 'list' | 'find'> = client,
): Promise<Future> {
  const discovery = new Discovery(client);
  const bare = await snapshotOf(reader, kind, resource, {
    identity: operatorOfKind(kind),
    isServed: (type) => discovery.isServed(type),
  });
  return futureFrom(client, kind, bare);
}

/** Decides as the operator would on what there is, or would be; queries are answered. */
export async function futureFrom(client: KubeClient, kind: Kind, bare: Snapshot): Promise<Future> {
  const { resource } = bare;
  const operator = operatorOfKind(kind);
  const discovery = new Discovery(client);
  const decorated = (children: readonly RenderedChild[]) =>
    children.map((child) => decorate(child, resource, kind, operator));
  const seen = { ...bare, desired: (state: unknown) => decorated(kind.render(resource, state)) };
  const { queries = [] } = kind.reconcile(seen, Date.now());
  const snapshot = { ...seen, answers: await answersOf(queries, client, discovery, { kind, resource }) };

  const now = Date.now();
  const result = kind.reconcile(snapshot, now);
  const { state, replace = [], waitForAnswers = false } = result;
  const rendered = kind.render(resource, state);
  const plan = makePlan({
    desired: decorated(rendered),
    observed: snapshot.children,
    ownerUid: resource.metadata.uid,
    pods: snapshot.pods,
    replace,
    types: observerOf(operator, kind.childTypes).types,
  });
  const settled = kind.reconcile({ ...snapshot, resource: settledOf(resource) }, Date.now());
  return {
    snapshot,
    status: finishStatus(resource, result, now, kind.updatedField),
    waitForAnswers,
    plan,
    rendered,
    desired: decorated(kind.render(resource, settled.state)),
  };
}

/** The resource as if nothing of an earlier spec served any more. */
function settledOf(resource: Resource): Resource {
  const { served: _, ...status }: CommonStatus & { readonly served?: unknown } = resource.status ?? {};
  return { ...resource, status };
}

const AT_ONCE: ReadonlySet<Query['type']> = new Set(['secret', 'configMap', 'served', 'object', 'computation']);

/**
 * What can be found out in one look: single objects, Secrets, ConfigMaps, what the API server serves, and what is computed.
 */
async function answersOf(
  queries: readonly Query[],
  client: KubeClient,
  discovery: Discovery,
  { kind, resource }: { readonly kind: Kind; readonly resource: Resource },
): Promise<Readonly<Record<string, Answer>>> {
  const now = () => Date.now();
  const isServed = discovery.isServed.bind(discovery);
  const answers = new QueryRunner({ client, isServed, pod: () => undefined, now });
  const computations = new Computations();
  const answer = async (query: Query): Promise<Answer> => {
    if (query.type === 'computation') return { ...(await computations.answer(kind, query, resource)), at: now() };
    if (query.type === 'ask') throw new Error('only the operator asks about things outside of the cluster');
    return answers.answer(query, resource);
  };
  try {
    const answers = queries
      .filter(({ type }) => AT_ONCE.has(type))
      .map(async (query) => [query.id, await answer(query).catch(unknown)] as const);
    return Object.fromEntries(await Promise.all(answers));
  } finally {
    await Promise.all([answers.close(), computations.close()]);
  }
}

/** A person may have fewer rights than the operator. */
const unknown = (error: unknown): Answer => ({ at: Date.now(), type: 'unknown', message: describe(error) });
