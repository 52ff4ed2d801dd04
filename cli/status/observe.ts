import { SpecError } from '../../constructs/schema/error.ts';
import type { RenderedChild } from '../../constructs/workload.ts';
import type { Kind, Resource, ResourceType, Snapshot } from '../../operator/engine/api/index.ts';
import { listAll, snapshotOf } from '../../operator/engine/observe/index.ts';
import type { Plan } from '../../operator/engine/plan/index.ts';
import { apiVersionOf, Discovery, TYPES } from '../../operator/kube/index.ts';
import type { KubeClient, KubeObject } from '../../operator/kube/index.ts';
import { AllowedReader } from '../kube/allowed.ts';
import type { Denied } from '../kube/denied.ts';
import { operatorAbsence } from '../leader/observe.ts';
import { nodesOf, podsOn } from '../nodes/list.ts';
import { findsNoNode } from '../nodes/needs.ts';
import { nodesInUse } from '../nodes/shortage.ts';
import { futureFrom } from '../plan/future.ts';
import { operatorOfKind } from '../user-kinds/known.ts';

/** What is told of a resource is made from this, and from nothing else. */
export interface Observation {
  readonly kind: Pick<Kind, 'childTypes'>;
  readonly resource: Resource;
  readonly snapshot: Snapshot;
  /** Live objects that may belong to it: children, what these have made, and slices of endpoints. */
  readonly objects: readonly KubeObject[];
  /** Events of its namespace. */
  readonly events: readonly KubeObject[];
  /** What the operator wants now, in order, and what it would do next; absent where the spec can't work. */
  readonly wanted?: { readonly rendered: readonly RenderedChild[]; readonly plan: Plan };
  /**
   * The nodes of the cluster, where a pod finds none.
   *
   * @default - they were not looked at, or may not be
   */
  readonly nodes?: readonly KubeObject[];
  /**
   * The pods on the nodes that have what such a pod lacks.
   *
   * @default - they were not looked at, or may not be
   */
  readonly neighbours?: readonly KubeObject[];
  /**
   * That no operator is at work.
   *
   * @default - one is, as far as the caller may see
   */
  readonly operatorAbsence?: string;
  /** What the caller may not see. */
  readonly unseen: readonly Denied[];
  /** When it was looked, in milliseconds since the epoch. */
  readonly now: number;
}

/** What children make, and which label of it names whom it was made for; KEDA puts none on. */
const GRANDCHILDREN: readonly (readonly [ResourceType, 'instance' | 'none'])[] = [
  [TYPES.replicaSet, 'instance'],
  [TYPES.horizontalPodAutoscaler, 'none'],
];

/** What is looked at. */
export interface Subject {
  readonly kind: Kind;
  readonly resource: Resource;
  readonly operatorNamespace: string;
}

/** Looks at a resource, and at all that belongs to it. */
export async function observe(
  client: KubeClient,
  { kind, resource, operatorNamespace }: Subject,
): Promise<Observation> {
  const { namespace = '', name } = resource.metadata;
  const operator = operatorOfKind(kind);
  const discovery = new Discovery(client);
  const reader = new Reader(client);
  const snapshot = await snapshotOf(reader, kind, resource, {
    identity: operator,
    isServed: (one) => discovery.isServed(one),
  });
  const labels = `${operator.labels.kind}=${kind.label},${operator.labels.name}=${name}`;
  // What a LeaderWorkerSet makes has its labels, and not those of the resource.
  if (snapshot.children.some((child) => child.kind === 'LeaderWorkerSet')) {
    await listAll(reader, TYPES.statefulSet, namespace, undefined);
  }
  for (const [one, by] of GRANDCHILDREN) await listAll(reader, one, namespace, by === 'none' ? undefined : labels);
  await listAll(reader, TYPES.endpointSlice, namespace, 'kubernetes.io/service-name');
  const events = await listAll(reader, TYPES.coreEvent, namespace);
  const homeless = reader.objects.filter(findsNoNode);
  const nodes = homeless.length > 0 ? await nodesOf(client) : undefined;
  const inUse = nodes === undefined ? [] : nodesInUse(homeless, nodes);
  const neighbours = inUse.length > 0 ? await podsOn(client, inUse) : undefined;
  const now = Date.now();
  const absence = await operatorAbsence(client, { operator, operatorNamespace, now });
  return {
    kind,
    resource,
    snapshot,
    objects: reader.objects.filter(({ kind }) => kind !== TYPES.coreEvent.kind),
    events,
    ...(nodes !== undefined && { nodes }),
    ...(neighbours !== undefined && { neighbours }),
    ...(absence !== undefined && { operatorAbsence: absence }),
    ...(await wantedIn(client, kind, snapshot)),
    unseen: reader.denied,
    now,
  };
}

async function wantedIn(client: KubeClient, kind: Kind, snapshot: Snapshot): Promise<Pick<Observation, 'wanted'>> {
  try {
    const { rendered, plan } = await futureFrom(client, kind, snapshot);
    return { wanted: { rendered, plan } };
  } catch (error) {
    // Its condition Accepted says what is wrong with it.
    if (error instanceof SpecError) return {};
    throw error;
  }
}

/** Remembers what it has listed, and reads on where a person may not read something. */
class Reader extends AllowedReader {
  readonly #objects = new Map<string, KubeObject>();

  get objects(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  override readonly list: KubeClient['list'] = async (type, options) => {
    const page = await this.listAllowed(type, options);
    const apiVersion = apiVersionOf(type);
    for (const item of page.items) this.#objects.set(item.metadata.uid, { ...item, apiVersion, kind: type.kind });
    return page;
  };
}
