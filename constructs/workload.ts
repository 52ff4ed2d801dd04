import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { withAtomicDefaults } from './atomic-defaults.ts';
import { makersOf } from './makers.ts';
import { podTemplatesIn, type Naming } from './parts/objects/index.ts';
import type { PlainObject } from './schema/json.ts';

/** The kinds that say who a pod is and whom it may talk to. */
const GUARDS: ReadonlySet<string> = new Set(['ServiceAccount', 'NetworkPolicy']);

/** What is known of a child that was added before. */
interface Earlier {
  readonly id: string;
  readonly object: { readonly kind: string };
}

/**
 * The children that must be there before one that makes pods: its ServiceAccounts and NetworkPolicies. Where one of them
 * can't be made, since the name is taken by somebody else's, the pods would run as that other account, or open to the
 * network; so they don't run.
 */
export const guardsOf = (manifest: PlainObject, earlier: readonly Earlier[]): readonly string[] =>
  podTemplatesIn(manifest).length > 0
    ? earlier.filter(({ object }) => GUARDS.has(object.kind)).map(({ id }) => id)
    : [];

/** A Kubernetes object as plain JSON. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** The place of a child among the others of its workload, and who else writes to it. */
export interface ChildOptions {
  /**
   * Ids of the children that must be ready before this one is applied. Names only children added before.
   *
   * @default - none: it may be applied at once, unless it makes pods
   */
  readonly after?: readonly string[];
  /**
   * Fields that somebody else owns and that this manifest therefore leaves out, as dotted paths: `spec.replicas` under
   * an autoscaler. A host that owned such a field hands it over at its present value before it leaves it out;
   * otherwise the API server would reset it to its default.
   *
   * @default - none
   */
  readonly unmanagedFields?: readonly string[];
  /**
   * Outlives the workload: it gets no owner and is never pruned.
   *
   * @default false
   */
  readonly retain?: boolean;
  /**
   * What of the live object can't be changed stays as it is: no other takes its place, since that would stop its pods.
   *
   * @default false
   */
  readonly noReplace?: boolean;
  /**
   * Once it is there it stays as it is: it tells of what is over.
   *
   * @default false
   */
  readonly createOnly?: boolean;
}

/** The options of a child, with defaults. */
interface PlacedOptions
  extends Required<Omit<ChildOptions, 'noReplace' | 'createOnly'>>, Pick<ChildOptions, 'noReplace' | 'createOnly'> {}

/** One object of a workload, with its place in the order. */
export interface Child extends PlacedOptions {
  /** What it is to its workload: `deployment`, `weights`. Stable, so it serves as logical name in Pulumi. */
  readonly id: string;
  /** The cdk8s object. */
  readonly object: ApiObject;
}

/** A child rendered to plain JSON: what every host works with. */
export interface RenderedChild extends PlacedOptions {
  readonly id: string;
  readonly manifest: Manifest;
}

/** What every workload construct is made from; `spec` is the custom resource's `spec`. */
export interface WorkloadProps<Spec, State> {
  /** The name of the resource. Names, selectors and logical ids of all children come from it, never from the path. */
  readonly name: string;
  /** The namespace of all children. */
  readonly namespace: string;
  /** What to run: the same type, defaults and rules as `spec` of the custom resource. */
  readonly spec: Spec;
  /**
   * What only time can tell: set by the operator.
   *
   * @default - what a static host needs
   */
  readonly state?: State;
  /**
   * Names and labels that users of an earlier operator rely on.
   *
   * @default - none
   */
  readonly naming?: Naming;
}

/**
 * The base of the constructs: an ordered list of children.
 *
 * The order is kept here and not with cdk8s's `addDependency`, whose cost between groups is exponential. cdk8s prints
 * objects in the order of their construction, which is why `after` may name only children that exist already.
 */
export abstract class Workload extends Construct {
  readonly #children = new Map<string, Child>();
  /** Objects that another workload of the app makes as well. */
  readonly #clashes: string[] = [];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.node.addValidation({ validate: () => this.#clashes });
  }

  /** All children, each after those that it waits for. */
  get children(): readonly Child[] {
    return [...this.#children.values()];
  }

  /** All children as plain JSON: keys sorted, nothing undefined. */
  render(): readonly RenderedChild[] {
    return this.children.map(({ object, ...child }) => ({ ...child, manifest: object.toJson() as Manifest }));
  }

  /**
   * Adds a child. One that makes pods waits for its guards as well: see guards.ts.
   *
   * @param id - what it is to this workload
   * @param manifest - the object, `metadata.name` and `metadata.namespace` included
   */
  protected add(id: string, manifest: Manifest, options: ChildOptions = {}): ApiObject {
    const after = [...new Set([...guardsOf(manifest, this.children), ...(options.after ?? [])])];
    const unknown = after.filter((other) => !this.#children.has(other));
    if (unknown.length > 0) {
      throw new Error(
        `child ${id} of ${this.node.path} waits for ${unknown.join(', ')}, which was not added before it`,
      );
    }
    const clash = makersOf(this).note(this.node.path, manifest);
    if (clash !== undefined) this.#clashes.push(clash);
    const object = new ApiObject(this, id, withAtomicDefaults(manifest));
    const { unmanagedFields = [], retain = false, noReplace = false, createOnly = false } = options;
    const placed = {
      after,
      unmanagedFields,
      retain,
      ...(noReplace && { noReplace }),
      ...(createOnly && { createOnly }),
    };
    this.#children.set(id, { id, object, ...placed });
    return object;
  }
}
