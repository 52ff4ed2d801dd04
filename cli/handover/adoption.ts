import { decorate, identityOfDesired } from '../../operator/engine/plan/index.ts';
import type { DesiredChild } from '../../operator/engine/plan/index.ts';
import { type Identity, identityOf, MANAGED_BY_LABEL } from '../../operator/engine/api/index.ts';
import type { Kind, Resource, ObservedPod } from '../../operator/engine/api/index.ts';
import { observeChild, observerOf, isMadeFor, snapshotFrom, snapshotOf } from '../../operator/engine/observe/index.ts';
import { ApiError, digestOfOwned, Discovery, type KubeClient, type KubeObject } from '../../operator/kube/index.ts';
import { deniedIn } from '../kube/denied.ts';
import { childTypeOf } from '../kube/types.ts';
import { changedFields, type FieldChange } from '../plan/fields.ts';
import { type Future, futureFrom } from '../plan/future.ts';
import { isOfTemplate, livePodsOf } from '../plan/pods.ts';
import type { Obstacle } from '../plan/types.ts';
import { objectsFor, titleOf, wordsFor } from './objects.ts';
import { claimTo, moveOf, withoutFields } from './ownership.ts';
import { isAlike, namesakes, ownerOf, podsBeside } from './unlabelled.ts';
import { moduleOf, operatorOfKind } from '../user-kinds/known.ts';

/** An object that passes to the operator. */
export interface ObjectMove {
  /** `Deployment llama` */
  readonly object: string;
  /** Field managers that have applied it so far. */
  readonly from: readonly string[];
  /** What changes but for the marks of ownership. */
  readonly fields: readonly FieldChange[];
}

/** What it would take for the operator to run what another host runs. */
export interface Adoption {
  /** `ModelServing models/llama` */
  readonly resource: string;
  readonly moves: readonly ObjectMove[];
  /** Objects that there are not: the operator makes them. */
  readonly creates: readonly string[];
  /** Objects that were made for this workload and are no part of it: they stay as they are. */
  readonly left: readonly string[];
  /** Names of the pods that would be replaced. */
  readonly restarts: readonly string[];
  readonly obstacles: readonly Obstacle[];
}

/** An adoption, with what carries it out. */
export interface PlannedAdoption {
  readonly adoption: Adoption;
  /** The children whose objects there are, in order. */
  readonly children: readonly DesiredChild[];
}

/**
 * Plans an adoption. Nothing is written: changes are asked for as dry runs.
 *
 * @param resource - as it is, or as the API server would store it
 */
export async function planAdoption(client: KubeClient, kind: Kind, resource: Resource): Promise<PlannedAdoption> {
  const labelled = await objectsFor(client, kind, resource);
  const found = [...labelled, ...(await namesakes(client, kind, resource, labelled))];
  const { rendered, snapshot } = await futureWith(client, kind, resource, found);
  const pods = await podsBeside(client, kind, snapshot);
  const planner = new AdoptionPlanner(client, kind, resource, pods);
  const live = new Map(found.map((object) => [idOf(object), object]));
  for (const child of rendered.map((one) => decorate(one, resource, kind, operatorOfKind(kind)))) {
    const identity = identityOfDesired(child);
    await planner.add(child, live.get(identity));
    live.delete(identity);
  }
  return planner.planned([...live.values()].map(wordsFor));
}

/** What the operator would have, were all that was made for the resource its own. */
export async function futureWith(
  client: KubeClient,
  kind: Kind,
  resource: Resource,
  found: readonly KubeObject[],
): Promise<Future> {
  const discovery = new Discovery(client);
  const identity = operatorOfKind(kind);
  const bare = await snapshotOf(client, kind, resource, {
    identity,
    isServed: (type) => discovery.isServed(type),
  });
  const observer = observerOf(identity, kind.childTypes);
  const { uid } = resource.metadata;
  const asOurs = (objects: readonly KubeObject[]) =>
    snapshotFrom({
      ...bare,
      children: objects.map((object) => ({ ...observeChild(object, observer), ownerUid: uid })),
    });
  const free = found.filter((object) => claimTo(object, [uid]) !== 'taken');
  const first = await futureFrom(client, kind, asOurs(free));
  // What is left of an earlier spec does not come along, so nothing is decided on it either.
  const names = new Set(first.desired.map(identityOfDesired));
  return futureFrom(client, kind, asOurs(free.filter((object) => names.has(idOf(object)))));
}

/** Asks, object by object, what its adoption comes to. */
class AdoptionPlanner {
  readonly #moves: ObjectMove[] = [];
  readonly #creates: string[] = [];
  readonly #restarts = new Set<string>();
  readonly #obstacles: Obstacle[] = [];
  readonly #children: DesiredChild[] = [];
  readonly #client: KubeClient;
  readonly #kind: Kind;
  readonly #resource: Resource;
  readonly #pods: readonly ObservedPod[];
  readonly #operator: Identity;

  constructor(client: KubeClient, kind: Kind, resource: Resource, pods: readonly ObservedPod[]) {
    this.#client = client;
    this.#kind = kind;
    this.#resource = resource;
    this.#pods = pods;
    this.#operator = operatorOfKind(kind);
  }

  planned(left: readonly string[]): PlannedAdoption {
    const adoption = {
      resource: titleOf(this.#resource),
      moves: this.#moves,
      creates: this.#creates,
      left,
      restarts: [...this.#restarts].sort(),
      obstacles: this.#obstacles,
    };
    return { adoption, children: this.#children };
  }

  /** @param labelled - the live object, where it bears the labels of this workload */
  async add(child: DesiredChild, labelled: KubeObject | undefined): Promise<void> {
    const object = wordsFor(child.manifest);
    const live =
      labelled ?? (await this.#client.find(childTypeOf(this.#kind, child.manifest), child.manifest.metadata));
    if (live === undefined) {
      this.#creates.push(object);
      return;
    }
    const hindrance = this.#hindrance(live, child);
    if (hindrance !== undefined) {
      this.#obstacles.push({ object, message: hindrance });
      return;
    }
    this.#children.push(child);
    try {
      await this.#move(child, live);
    } catch (error) {
      if (!(error instanceof ApiError) || deniedIn(error) !== undefined) throw error;
      this.#obstacles.push({ object, message: error.message });
    }
  }

  #hindrance(live: KubeObject, child: DesiredChild): string | undefined {
    const { metadata } = this.#resource;
    if (claimTo(live, [metadata.uid]) === 'taken') return 'is controlled by another resource: it stays with that one';
    if (!isMadeFor(this.#kind, this.#resource, live, this.#operator) && !isAlike(this.#kind, live, child)) {
      const { labels } = this.#operator;
      const hint =
        moduleOf(this.#kind) === undefined
          ? ''
          : `; where it was, label it ${labels.kind}=${this.#kind.label} and ${labels.name}=${metadata.name}`;
      return `exists and was not made for this workload: delete or rename it, or rename the resource${hint}`;
    }
    return live.metadata.deletionTimestamp === undefined
      ? undefined
      : 'is being deleted: run this again once it is gone';
  }

  async #move(child: DesiredChild, live: KubeObject): Promise<void> {
    const type = childTypeOf(this.#kind, child.manifest);
    const body = { ...child.manifest, metadata: { ...child.manifest.metadata, uid: live.metadata.uid } };
    const applied = await this.#client.apply(type, body, {
      fieldManager: this.#operator.fieldManager,
      force: true,
      dryRun: true,
    });
    const { from, drops, managedFields } = moveOf(live, applied, child.unmanagedFields, ownerOf(this.#kind, child));
    const dropped =
      drops && (await this.#client.patch(type, child.manifest.metadata, withoutFields(live, drops), { dryRun: true }));
    const fields = [...changedFields(live, applied), ...(dropped ? changedFields(live, dropped) : [])].filter(
      ({ path }) => !isMark(path, this.#operator) && !child.unmanagedFields.includes(path),
    );
    if (fields.some(isOfTemplate)) for (const pod of livePodsOf(live, this.#pods)) this.#restarts.add(pod);
    const isAsWanted = managedFields === undefined && digestOfOwned(live, this.#operator.fieldManager) === child.digest;
    if (!isAsWanted) this.#moves.push({ object: wordsFor(child.manifest), from, fields });
  }
}

const idOf = ({ apiVersion, kind, metadata: { namespace = '', name } }: KubeObject): string =>
  identityOf({ apiVersion, kind, namespace, name });

/** What tells the owner of an object, and what the operator alone puts on it. */
const isMark = (path: string, { domain }: Identity): boolean =>
  path.startsWith('metadata.ownerReferences') ||
  path.startsWith('metadata.finalizers') ||
  path === `metadata.labels[${MANAGED_BY_LABEL}]` ||
  path.startsWith(`metadata.labels[${domain}/`);
