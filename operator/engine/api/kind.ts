import type { Refusal } from '../../../constructs/schema/error.ts';
import type { Manifest, RenderedChild } from '../../../constructs/workload.ts';
import type { KubeObject, ResourceType } from '../../kube/index.ts';
import type { Named } from './identity.ts';
import type { Query, Answer, AskHandler } from './queries.ts';
import type { Figures } from './figures.ts';
import type { ObservedChild, ObservedPod } from './observed.ts';
import type { BareCondition, Resource } from './resource.ts';

/** Something that kept a step from being carried out. */
export interface Failure {
  /** Id of the child; absent where it is about the resource as a whole. */
  readonly child?: string;
  /** `NameTaken`, `Forbidden`, `Invalid`, `QuotaExceeded`, `NotServed`, `ApiError`. */
  readonly reason: string;
  /** The server's own words where it said something. */
  readonly message: string;
}

/** All that reconcile may look at. */
export interface Snapshot<R extends Resource = Resource> {
  readonly resource: R;
  /** The children that exist and are ours, those on their way out included. */
  readonly children: readonly ObservedChild[];
  readonly pods: readonly ObservedPod[];
  /** Other resources that this one refers to, by `Kind/name`; absent where there is none of that name. */
  readonly related: Readonly<Record<string, Resource>>;
  readonly answers: Readonly<Record<string, Answer>>;
  /** What the last attempt to carry out a plan ran into. */
  readonly failures: readonly Failure[];
  /**
   * What a state of the construct renders, to be compared with the children.
   *
   * @throws SpecError where the spec can't work
   * @default - the caller doesn't know how its children are decorated: all that can be told is which there are
   */
  desired?(state: unknown): readonly DesiredState[];
}

/** Which object a child is, and how it is to be. */
export interface DesiredState extends Omit<RenderedChild, 'manifest'> {
  readonly object: Named;
  /** As {@link ObservedChild.digest} is of a live one that is as wanted. */
  readonly digest: string;
}

/** A pod to delete. */
export interface PodRemoval {
  readonly name: string;
  readonly uid: string;
  /**
   * Without waiting until its node has stopped it: for a node that no longer answers. What ran there may run on.
   *
   * @default false
   */
  readonly force?: boolean;
  /**
   * Seconds that it has to stop, where it is to have fewer than its spec gives it.
   *
   * @default - those of its spec
   */
  readonly graceSeconds?: number;
}

/** A Secret to make, with something new in it that nobody knows: a key, a password. */
export interface SecretToMake {
  readonly name: string;
  /** Which of {@link Kind.secrets} makes its content. */
  readonly by: string;
}

/** The content of a new Secret. */
export interface SecretContent {
  /** @default 'Opaque' */
  readonly type?: string;
  readonly stringData: Readonly<Record<string, string>>;
}

/** A pod that is told what the template that it was made from can't say. */
export interface PodMark {
  readonly name: string;
  readonly uid: string;
  /** The labels to put on it. */
  readonly labels: Readonly<Record<string, string>>;
  /** The scheduling gate, its first, that keeps it from starting before. */
  readonly gate: string;
}

/** A status without what the engine adds to it: conditions with their times and generations, and its own generation. */
export type Unstamped<Status> = Omit<Status, 'conditions' | 'observedGeneration'>;

/** What a kind reports of a resource. */
export interface BareStatus<Status> {
  readonly status: Unstamped<Status>;
  /** In the order in which the status lists them. */
  readonly conditions: readonly BareCondition[];
}

/** What reconcile decides. */
export interface Result<State, Status> extends BareStatus<Status> {
  /** What only time can tell, for the construct. */
  readonly state: State;
  /**
   * Ids of children whose live object must be deleted and created again (a failed Job to be tried again).
   *
   * @default - none
   */
  readonly replace?: readonly string[];
  /**
   * What it wants to know.
   *
   * @default - nothing
   */
  readonly queries?: readonly Query[];
  /**
   * When to look again though nothing has changed, in milliseconds since the epoch.
   *
   * @default - once something changes
   */
  readonly requeueAt?: number;
  /**
   * For a resource that is being deleted: all that had to be done before has been done, so once the children that
   * `render` no longer names are gone, the finalizer may go.
   *
   * @default false
   */
  readonly release?: boolean;
  /**
   * Nothing is done, and nothing said, until what is asked is known: what is there contradicts itself, and one of the
   * watches must be behind.
   *
   * @default false
   */
  readonly waitForAnswers?: boolean;
  /**
   * The status must be there before anything is done: it says what was found, and doing it would change that.
   *
   * @default false - only before something is deleted
   */
  readonly statusFirst?: boolean;
  /**
   * Pods to delete that no controller deletes, or without success.
   *
   * @default - none
   */
  readonly removePods?: readonly PodRemoval[];
  /**
   * Pods to be told something before they start.
   *
   * @default - none
   */
  readonly markPods?: readonly PodMark[];
  /**
   * Secrets that are made where there is none of that name, and stay as they are from then on.
   *
   * @default - none
   */
  readonly makeSecrets?: readonly SecretToMake[];
  /**
   * Its time is over: the resource is deleted, and its children with it.
   *
   * @default false
   */
  readonly expire?: boolean;
}

/** A type that a cluster may not serve. */
export interface OptionalType extends ResourceType {
  /**
   * A cluster may not serve it (KEDA, Gateway API, the kinds of earlier operators).
   *
   * @default false
   */
  readonly optional?: boolean;
  /**
   * Whether its objects lie in namespaces.
   *
   * @default 'Namespaced'
   */
  readonly scope?: 'Namespaced' | 'Cluster';
}

/** A type of child. */
export interface ChildType extends OptionalType {
  /**
   * It goes with its resource, by the garbage collector, and never before: the operator needs no right to delete it.
   *
   * @default false
   */
  readonly gcOnly?: boolean;
  /**
   * What the cache keeps of each, as dotted paths (`status.host`): what `slice` has of it. Leave out what changes by itself,
   * such as current metrics: each change of a kept value wakes the resource that the child belongs to.
   *
   * @default - of Kubernetes' own types what tells their state; of others observedGeneration, phase and conditions
   */
  readonly keep?: readonly string[];
  /**
   * Whether a live one is ready, so that what comes after it may be applied. Pure.
   *
   * @default - Kubernetes' own rules for its workloads and Jobs; any other is ready once it exists
   */
  readonly ready?: (object: KubeObject) => boolean;
}

/** What a kind may decide that takes a right of its own. */
export type Permission = 'remove-pods' | 'mark-pods' | 'read-secrets' | 'make-secrets' | 'expire';

/**
 * A kind: a construct and a reconcile. The engine knows nothing else of it.
 */
export interface Kind<R extends Resource = Resource, State = unknown> {
  /** Where it is optional, the kind is run only where it is served. */
  readonly type: OptionalType;
  /**
   * Value of `app.kubernetes.io/name` on its children and pods: `model-serving`. Kinds of one label make the same objects;
   * of their resources of one name, the oldest alone is run.
   */
  readonly label: string;
  /** Every type of child it may have. */
  readonly childTypes: readonly ChildType[];
  /** Kinds that `related` may name; a change of one wakes the resources that refer to it. */
  readonly refersTo?: readonly OptionalType[];
  /** `Kind/name` of the resources of the same namespace that this one refers to. */
  references?(resource: R): readonly string[];
  /** Put on every resource before its first child is made; absent where deletion needs nothing done first. */
  readonly finalizer?: string;
  /**
   * Which decisions beside those about children it takes, so that the operator is given no right that nobody uses.
   *
   * @default - none
   */
  readonly permissions?: readonly Permission[];
  /**
   * The module whose exported functions it asks for by name, to be called in a thread of their own: pure, from plain data
   * to plain data. It is a program of the operator's bundle.
   *
   * @default - it asks for no computation
   */
  readonly computations?: URL;
  /**
   * By name, what finds out about things outside of the cluster (a cloud API, a database): reconcile asks by a query of the
   * type `ask`. Each is called in the background, is tried again where it fails, and has 30 s.
   *
   * @default - it asks nobody
   */
  readonly asks?: Readonly<Record<string, AskHandler>>;
  /**
   * By name, what makes the content of new Secrets: see {@link Result.makeSecrets}. Called once a Secret, and by chance.
   *
   * @default - it makes none
   */
  readonly secrets?: Readonly<Record<string, () => SecretContent>>;
  /**
   * Types that its queries look at, and that are neither children nor resources that it refers to.
   *
   * @default - none
   */
  readonly reads?: readonly OptionalType[];
  /**
   * What its resources have for metrics.
   *
   * @default - its conditions, and no phases
   */
  readonly figures?: Figures<R>;
  /**
   * The field of the status that holds when anything else of it last changed, as a time.
   *
   * @default - there is no such field
   */
  readonly updatedField?: string;
  /** What to do now. Pure: no I/O, and no clock but `now` (milliseconds since the epoch). */
  reconcile(snapshot: Snapshot<R>, now: number): Result<State, NonNullable<R['status']>>;
  /**
   * The children, by the construct. Pure, and of the metadata it reads what a user writes: name, labels, annotations.
   * Throws a SpecError where the spec can't work.
   */
  render(resource: Omit<R, 'status'>, state: State): readonly RenderedChild[];
  /**
   * The status of a resource whose spec can't work: `Accepted=False`, with the problems in the message. Pure.
   *
   * @param seen - what reconcile decided before the spec was found not to work: good for what is observed (replicas), and
   * not for what it would have remembered, since the spec is never acted on
   * @param refusal - the reason of the conditions; InvalidSpec where it is left out
   * @default - the status as it was, with Accepted and Ready False
   */
  refuse?(
    resource: R,
    problems: string,
    seen?: BareStatus<NonNullable<R['status']>>,
    refusal?: Refusal,
  ): BareStatus<NonNullable<R['status']>>;
}

export type { Manifest, RenderedChild, ResourceType };
