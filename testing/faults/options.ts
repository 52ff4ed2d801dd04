import type { ClusterOptions } from '../../cluster/index.ts';
import type { Manifest } from '../../constructs/workload.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../operator/kube/index.ts';
import type { KindName, Manifests, Objects, TestCluster } from '../cluster/index.ts';
import type { PlanResult } from './campaign.ts';
import type { Plan } from './plans/plan.ts';
import type { Place } from './world.ts';

/** The operator as a program, in any language. */
export interface FaultsOperator {
  /**
   * The program and its arguments, without a shell: `['node', 'operator.ts']`, `['kopf', 'run', 'operator.py']`. As a
   * function it is given the namespace, the kubeconfig and a free port.
   *
   * Its environment has KUBECONFIG, WATCH_NAMESPACE, POD_NAMESPACE, NAMESPACE and PORT. It must use them.
   */
  readonly command: readonly string[] | ((place: Place) => readonly string[]);
  /**
   * More variables of its environment.
   *
   * @default - none
   */
  readonly env?: Readonly<Record<string, string>> | ((place: Place) => Readonly<Record<string, string>>);
  /** @default - the folder of this process */
  readonly cwd?: string;
  /**
   * The path of its probe on 127.0.0.1 at PORT (`/readyz`), or a function that gives a URL. The first runs begin once it
   * answers 200.
   *
   * @default - they begin once it lists or watches the first of `kinds`
   */
  readonly ready?: string | ((place: Place) => string);
  /**
   * Whether it may end by itself, for instance where it can't reach the API server. It is started again, as in a pod.
   *
   * @default false
   */
  readonly mayEnd?: boolean;
  /**
   * Whether it reads its token again: from the file that `tokenFile` of the kubeconfig names, or from the kubeconfig, where
   * the server refuses the one that it has. Then there is a plan that changes it.
   *
   * @default false
   */
  readonly rereadsToken?: boolean;
}

/** A kind that `defineKind` made, or its type. */
export type FaultsKind = ResourceType | DefinedLike;

/** A kind that knows its CRD. */
export interface DefinedLike {
  readonly type: ResourceType;
  crd(): Manifest;
}

/** Where a step acts: the objects of its namespace by their kinds, and the client. */
export interface StepContext {
  readonly namespace: string;
  /** Directly at the API server, with all rights. */
  readonly client: KubeClient;
  /** `apply`, `find`, `list`, `patch` and `delete`, by kinds and names, in the namespace. */
  readonly objects: Objects;
}

/** What is waited for, of one object. */
export interface UntilObject {
  readonly kind: KindName;
  readonly name: string;
  /** A condition of its status that must be True, and about the present spec. */
  readonly condition?: string;
  /** What must hold for the object. */
  readonly holds?: (object: KubeObject) => boolean;
  /** It must not be there. */
  readonly gone?: boolean;
}

/** What is waited for at the end of a step. */
export type Until = 'settled' | 'gone' | UntilObject | ((context: StepContext) => boolean | Promise<boolean>);

/** One step of the scenario: what a user does, and how to see that the operator has reacted. */
export interface FaultsStep {
  /** @default - what it does: `apply WebApp/demo` */
  readonly name?: string;
  /** Anything. */
  readonly do?: (context: StepContext) => Promise<unknown>;
  /** Manifests to apply, with server-side apply; those without a namespace are for the namespace of the run. */
  readonly apply?: Manifests;
  /** A merge patch. */
  readonly patch?: { readonly kind: KindName; readonly name: string; readonly body: object };
  readonly delete?: { readonly kind: KindName; readonly name: string };
  /**
   * What is waited for: all of them.
   *
   * - `settled`: the operator writes nothing for a while
   * - `gone`, for `delete`: the object is gone, and so are the objects that it owned
   * - an object's condition, or what holds for it
   * - a function
   *
   * @default - `gone` for `delete`, else `settled`
   */
  readonly until?: Until | readonly Until[];
}

/** Which plans are run: all, one of each class, those whose `id name` has a text, or those that a function chooses. */
export type PlanChoice = 'all' | 'few' | (string & {}) | readonly string[] | RegExp | ((plan: PlanName) => boolean);

export type PlanName = Pick<Plan, 'id' | 'name'>;

export interface FaultsOptions {
  readonly operator: FaultsOperator;
  /** The kinds of the operator. The resource that the scenario is about is of the first. */
  readonly kinds: readonly FaultsKind[];
  /** What a user does, from the creation to the deletion. Without a `delete` at its end, the resource is deleted. */
  readonly scenario: readonly FaultsStep[];
  /**
   * What is installed first: manifests, and paths of files and folders with YAML.
   *
   * @default - the CRDs of `kinds` that know theirs
   */
  readonly crds?: Manifests;
  /**
   * Which types are compared.
   *
   * @default - all that have objects in a run without faults, events and the like aside
   */
  readonly compare?: readonly ResourceType[];
  /**
   * Paths that aren't compared: `WebApp/demo.status.lastSeen`, `Secret/*.data`. `*` stands for any characters, at most three
   * times.
   *
   * @default - what differs between two runs without faults
   */
  readonly ignore?: readonly string[];
  /**
   * Plurals of types whose objects nobody deletes by hand.
   *
   * @default persistentvolumeclaims, jobs, pods
   */
  readonly precious?: readonly string[];
  /**
   * `Cluster` for an operator of cluster-scoped resources, or one that can't be kept to one namespace: all namespaces are
   * compared, and one plan runs at a time.
   *
   * @default 'Namespaced'
   */
  readonly scope?: 'Namespaced' | 'Cluster';
  /**
   * Manifests with the Roles and ClusterRoles whose rules the operator is given, in all namespaces.
   *
   * @default - all rights
   */
  readonly rights?: Manifests;
  /** @default 'all' */
  readonly plans?: PlanChoice;
  /**
   * How many plans run at once, each in a namespace of its own.
   *
   * @default 4, and 1 for the scope Cluster
   */
  readonly parallel?: number;
  /**
   * After so many minutes no more plans are started. Those that weren't are listed, and the report says that it did not
   * pass.
   *
   * @default 30
   */
  readonly minutes?: number;
  /**
   * How long a step may take under faults, in seconds.
   *
   * @default 120
   */
  readonly stepSeconds?: number;
  /**
   * A cluster that runs, or how one is started.
   *
   * @default - one of its own, which is stopped at the end
   */
  readonly cluster?: TestCluster | ClusterOptions;
  /**
   * Told what happens, line by line.
   *
   * @default - nobody is
   */
  readonly log?: (line: string) => void;
}

/** What the campaign found. */
export interface FaultsReport {
  /** Whether every chosen plan was run and survived, and the runs without faults showed nothing wrong. */
  readonly passed: boolean;
  /** The plans that weren't survived: what differed, what was there then, and the operator's last output. */
  readonly failures: readonly PlanResult[];
  readonly results: readonly PlanResult[];
  /** The plans that weren't started before the time was over. */
  readonly notRun: readonly string[];
  readonly minutes: number;
  /** A table, then what failed and how to run it again. */
  readonly text: string;
}
