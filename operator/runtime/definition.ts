import type { Construct, IConstruct } from 'constructs';
import type * as z from 'zod';
import type { ConversionWebhook } from '../../constructs/schema/crd-conversion.ts';
import type { KindDefinition as SchemaDefinition, KindSchema } from '../../constructs/schema/kind.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { Parsed, Written } from '../../constructs/schema/types.ts';
import type { Manifest } from '../../constructs/workload.ts';
import type {
  BareCondition,
  CommonStatus,
  Kind,
  ObservedChild,
  Resource,
  Result,
  Snapshot,
  Unstamped,
} from '../engine/api/index.ts';
import type { ChildReference } from './child-types.ts';

/** A spec as it is once it is parsed: with its defaults. */
export type SpecOf<Spec extends z.ZodType> = Parsed<z.output<Spec>>;
/** A spec as a user writes it. */
export type SpecInput<Spec extends z.ZodType> = Written<z.input<Spec>>;
/** The status of a resource: what its kind has, with what every kind has. */
export type StatusOf<Status extends z.ZodType> = Parsed<z.output<Status>> & CommonStatus;

/** What a construct is made from. */
export interface ConstructInput<Spec, State> {
  readonly name: string;
  /** `''` where the resource is one of the cluster. */
  readonly namespace: string;
  /** With its defaults, and valid by the schema. */
  readonly spec: Spec;
  /** What reconcile has decided; `{}` where it decides nothing, and in static hosts. */
  readonly state: State;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** As it is stored: with the defaults that it had by then. */
  readonly resource: Omit<Resource<Spec>, 'status'>;
}

/** What answers an ask, by its name. Its answer must be plain data. */
export type Asks = Readonly<Record<string, (input: never, context: AskContext) => Promise<unknown>>>;

/** In what an ask is answered. */
export interface AskContext {
  /** The resource as it was when it asked. */
  readonly resource: Resource;
  /** Aborted once nobody wants to know any more, or it has taken 30 s. */
  readonly signal: AbortSignal;
}

/** What reconcile sees: the snapshot of the engine, and what most want to know of it. */
export interface View<Spec, Status extends CommonStatus, Answers extends Asks> extends Snapshot<
  Resource<Spec, Status>
> {
  readonly name: string;
  /** `''` where the resource is one of the cluster. */
  readonly namespace: string;
  /** With its defaults, and valid by the schema. */
  readonly spec: Spec;
  /** As it was last written. */
  readonly status: Partial<Status>;
  /** Whether the resource is being deleted: reconcile is called then only where the kind has a finalizer. */
  readonly deleting: boolean;
  /** Milliseconds since the epoch: the only clock that there is. */
  readonly now: number;
  /** The newest child of a kind that isn't being deleted; by its name where there are several. */
  readonly child: (kind: string, name?: string) => ObservedChild | undefined;
  /** What an ask was last answered; undefined where it is not known yet, or could not be found out the last time. */
  readonly answer: <Name extends keyof Answers & string>(name: Name) => Awaited<ReturnType<Answers[Name]>> | undefined;
  /** Whether all children that the construct makes of an empty state are there, as wanted, and ready. */
  readonly ready: boolean;
  /** The conditions by default, for an empty state: Accepted, Progressing, Available and Ready. */
  readonly conditions: readonly BareCondition[];
  /** The same for the state that reconcile is about to give. */
  readonly standing: (state: object) => Pick<View<Spec, Status, Answers>, 'ready' | 'conditions'>;
}

/** What reconcile decides; all that it leaves out is as by default. */
export interface KindResult<State, Status extends CommonStatus, Answers extends Asks> extends Omit<
  Partial<Result<State, Status>>,
  'status' | 'conditions' | 'state' | 'requeueAt'
> {
  /** See {@link Result.requeueAt}. */
  readonly requeueAt?: number | undefined;
  /** Fields of the status, beside `replicas`, `readyReplicas` and `selector` of a kind that is scaled. */
  readonly status?: Partial<Unstamped<Status>>;
  /**
   * All conditions, in the order in which the status lists them.
   *
   * @default - those of {@link View.conditions}
   */
  readonly conditions?: readonly BareCondition[];
  /**
   * What only time can tell, for the construct.
   *
   * @default {}
   */
  readonly state?: State;
  /**
   * What it wants to know of things outside of the cluster, by the names of the kind's asks. One whose input changes is asked
   * again at once; each other at its interval, and sooner where it failed.
   *
   * @default - nothing
   */
  readonly asks?: { readonly [Name in keyof Answers]?: AskFor };
}

/** An ask with its input. */
export interface AskFor {
  /**
   * Plain data.
   *
   * @default null
   */
  readonly input?: Json;
  /**
   * Seconds between two answers.
   *
   * @default 60
   */
  readonly everySeconds?: number;
}

/** What a kind is to the API server: its names and its schemas. */
export interface SchemaFields<
  Spec extends z.ZodType = z.ZodType,
  Status extends z.ZodType = z.ZodType,
  Others extends readonly unknown[] = readonly unknown[],
>
  extends
    Omit<
      SchemaDefinition<Spec, Status, Others>,
      'group' | 'plural' | 'shortNames' | 'description' | 'status' | 'rules' | 'staticRules' | 'columns' | 'scalable'
    >,
    Partial<
      Pick<SchemaDefinition<Spec, Status>, 'plural' | 'shortNames' | 'description' | 'status' | 'rules' | 'staticRules'>
    > {
  /** Its API group, as a DNS name: `acme.dev`. */
  readonly group: string;
  /**
   * Columns of `kubectl get`.
   *
   * @default - Ready, its reason, and the age
   */
  readonly columns?: SchemaDefinition<Spec, Status>['columns'];
  /**
   * Whether it has `spec.replicas`, so that `kubectl scale` and autoscalers work. The status then has `replicas`,
   * `readyReplicas` and `selector`, which follow from the children.
   *
   * @default false
   */
  readonly scale?: boolean;
}

/** What a kind is to an operator. */
export interface Behaviour<
  Spec extends z.ZodType = z.ZodType,
  Status extends z.ZodType = z.ZodType,
  State extends object = Readonly<Record<string, unknown>>,
  Answers extends Asks = Asks,
> extends Pick<
  Kind<Resource<SpecOf<Spec>, StatusOf<Status>>, State>,
  'references' | 'permissions' | 'computations' | 'secrets' | 'figures' | 'updatedField' | 'refuse'
> {
  /**
   * Value of a label on its children and pods. Kinds of one operator have different ones.
   *
   * @default - the kind, in lower case
   */
  readonly label?: string;
  /**
   * Every type of child that it may have: of Kubernetes' own by name, `apps/v1/Deployment`.
   *
   * @default - the types of what the construct makes of `examples`
   */
  readonly children?: readonly ChildReference[];
  /**
   * Specs, as a user writes them: for the reference page, and for the types of children where these aren't named.
   *
   * @default - one that is filled from the schema: with all fields, and with those alone that must be there
   */
  readonly examples?: readonly SpecInput<Spec>[];
  /**
   * Makes the children: by any constructs of cdk8s, in the scope of a chart. Pure: nothing but the input may be looked at.
   *
   * @throws SpecError where the spec can't work
   */
  construct(this: void, scope: Construct, input: ConstructInput<SpecOf<Spec>, State>): IConstruct | void;
  /**
   * What to do now. Pure: no I/O, and no clock but `now`.
   *
   * @default - ready once all children are
   */
  reconcile?(
    this: void,
    view: View<SpecOf<Spec>, StatusOf<Status>, Answers>,
  ): KindResult<State, StatusOf<Status>, Answers>;
  /**
   * Functions that find out about things outside of the cluster: see {@link KindResult.asks}.
   *
   * @default - none
   */
  readonly asks?: Answers;
  /**
   * Whether something has to be done before a resource may go: reconcile is called with `deleting`, and says by `release`
   * that it is done. A name is that of the finalizer.
   *
   * @default - only where children lie where no owner can be named: in other namespaces, or in none
   */
  readonly finalizer?: boolean | string;
  /**
   * A cluster may not serve it: it is run only where it is served.
   *
   * @default false
   */
  readonly optional?: boolean;
  /**
   * Kinds that `references` may name; a change of one wakes the resources that refer to it.
   *
   * @default - none
   */
  readonly refersTo?: readonly ChildReference[];
  /**
   * Types that its queries look at, and that are neither children nor resources that it refers to.
   *
   * @default - none
   */
  readonly reads?: readonly ChildReference[];
}

/** What is said of a kind that an operator runs. */
export interface KindDefinition<
  Spec extends z.ZodType = z.ZodType,
  Status extends z.ZodType = z.ZodType,
  State extends object = Readonly<Record<string, unknown>>,
  Answers extends Asks = Asks,
  Others extends readonly unknown[] = readonly unknown[],
>
  extends SchemaFields<Spec, Status, Others>, Behaviour<Spec, Status, State, Answers> {}

/** What is said of a kind whose schema there is already, as that of a construct is. */
export interface DefinitionBySchema<
  Spec extends z.ZodType = z.ZodType,
  Status extends z.ZodType = z.ZodType,
  State extends object = Readonly<Record<string, unknown>>,
  Answers extends Asks = Asks,
> extends Behaviour<Spec, Status, State, Answers> {
  readonly schema: KindSchema<Spec, Status>;
}

/** A kind that an operator can run, with its schema. */
export interface DefinedKind<
  Spec extends z.ZodType = z.ZodType,
  Status extends z.ZodType = z.ZodType,
  State = unknown,
> extends Kind<Resource<SpecOf<Spec>, StatusOf<Status>>, State> {
  readonly schema: KindSchema<Spec, Status>;
  readonly construct: Behaviour<Spec, Status, State & object>['construct'];
  /** Specs, as users write them. */
  readonly examples: readonly SpecInput<Spec>[];
  /**
   * Its CustomResourceDefinition.
   *
   * @param webhook - where its resources are converted; needed where it has versions with specs of their own
   * @throws SpecError where it is needed and isn't there, or can't be
   */
  readonly crd: (webhook?: ConversionWebhook) => Manifest;
}
