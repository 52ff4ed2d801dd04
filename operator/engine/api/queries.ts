import type { Json } from '../../../constructs/schema/json.ts';
import type { ResourceType } from '../../kube/index.ts';
import type { ComputationQuery, ComputationAnswer } from './computation.ts';
import type { Resource } from './resource.ts';

/** What has content by key. */
type Content = { readonly type: 'secret' } | { readonly type: 'configMap' };

/** What reconcile asks the engine to find out. Answers come back under the same id. */
export type Query = { readonly id: string; readonly everySeconds: number } &
  /** The kind must have ConfigMaps as a child type, where it asks for one. */
  (
    | ({ readonly name: string; readonly keys?: readonly string[] } & Content)
    | {
        /** The last lines of a log, each whole; those that are very long are left out. */
        readonly type: 'podLog';
        readonly pod: string;
        readonly container: string;
        readonly tailLines: number;
        /**
         * Of the container's last run that ended, in place of the one that continues.
         *
         * @default false
         */
        readonly previous?: boolean;
      }
    | {
        /** What a program reports of a metric in its log, which is read from its beginning to its end. */
        readonly type: 'reported';
        readonly pod: string;
        readonly container: string;
        readonly metric: string;
      }
    /** What was told of a pod or a Job by events, of which a cluster keeps those of the last hour or so. */
    | { readonly type: 'events'; readonly kind: 'Pod' | 'Job'; readonly name: string; readonly uid: string }
    | {
        readonly type: 'podMetrics';
        readonly pod: string;
        readonly port: number;
        readonly path: string;
        readonly metrics: readonly string[];
      }
    | { readonly type: 'served'; readonly resource: ResourceType }
    /** Whether there is an object, whatever its watch has told. The kind must have its type as a child type. */
    | { readonly type: 'object'; readonly resource: ResourceType; readonly name: string }
    | {
        /** All objects of a type in the resource's namespace, no matter who made them. The kind must have it as a child type. */
        readonly type: 'objects';
        readonly resource: ResourceType;
        /** What is wanted of each, as dotted paths. */
        readonly paths: readonly string[];
      }
    /** Something outside of the cluster, by a function of the kind's own: see {@link Kind.asks}. */
    | { readonly type: 'ask'; readonly name: string; readonly input: Json }
    /** Why a controller can't make its pods, as its events tell. */
    | ComputationQuery
  );

/** Something that was told of an object. */
export interface ObjectEvent {
  readonly reason: string;
  readonly message: string;
  /** When it was last told, in milliseconds since the epoch. */
  readonly at: number;
}

/** An ask that is answered by looking something up. */
export type Lookup = Exclude<Query, ComputationQuery | AskQuery>;

/** An ask that a function of the kind answers. */
export type AskQuery = Extract<Query, { readonly type: 'ask' }>;

/** Answers an ask: with plain data, by whatever it takes. */
export type AskHandler = (
  input: never,
  context: {
    /** The resource as it was when it asked. */
    readonly resource: Resource;
    /** Aborted once nobody wants to know any more, or it has taken too long. */
    readonly signal: AbortSignal;
  },
) => Promise<unknown>;

/** An answer to an ask. */
export type Answer = { readonly at: number } &
  /** `hash` is salted with the resource's UID and short: it tells change, never content. */
  (
    | ({ readonly exists: boolean; readonly hash: string; readonly missingKeys: readonly string[] } & Content)
    | { readonly type: 'podLog'; readonly text: string }
    | ({ readonly type: 'reported' } & LogReport)
    /** The latest last; of those that say the same, but for numbers, the latest. */
    | { readonly type: 'events'; readonly events: readonly ObjectEvent[] }
    /** The sum of each metric's samples; `closed` where nothing listens on the port (any more). */
    | { readonly type: 'podMetrics'; readonly values: Readonly<Record<string, number>>; readonly closed: boolean }
    /** Whether the API server serves the type (KEDA's ScaledObject, the Gateway API's HTTPRoute). */
    | { readonly type: 'served'; readonly served: boolean }
    /**
     * `uid` is absent where there is none of that name, or it is `leaving`: being deleted; `ownerUid` where it has no
     * controller.
     */
    | { readonly type: 'object'; readonly uid?: string; readonly ownerUid?: string; readonly leaving?: true }
    | {
        readonly type: 'objects';
        /** In the order of their names. One value for all who asked the same, as long as nothing in it changes. */
        readonly objects: readonly Listed[];
      }
    | { readonly type: 'ask'; readonly value: Json }
    /** `message` is absent where nothing was refused. */
    | ComputationAnswer
    /** It could not be found out this time; the engine asks again. */
    | { readonly type: 'unknown'; readonly message: string }
  );

/** What is wanted of an object: `slice` has the paths that were asked for, as they are in it. */
export interface Listed {
  readonly name: string;
  readonly slice: Readonly<Record<string, unknown>>;
}

/** A value, and the line that it was read from. */
export interface Reading {
  /** NaN where the program says that there is no number. */
  readonly value: number;
  /** One line of at most LONGEST_QUOTE characters. */
  readonly line: string;
}

/** Something like a number that is not read, since it can be read in more than one way, or not at all. */
export interface Unclear {
  /** What it got. */
  readonly unclear: string;
  readonly line: string;
}

/** What a program has reported of a metric: all that matters of its lines, however many there are. */
export interface Report {
  readonly last?: Reading | Unclear;
  /** Of the values that are numbers. */
  readonly lowest?: Reading;
  readonly highest?: Reading;
  /** The last one that is unclear. */
  readonly unclear?: Unclear;
  /** The last line that has the name and no number behind it. */
  readonly mentioned?: string;
}

/** What a log reports of a metric. */
export interface LogReport extends Report {
  /** Why it was not read to its end; absent where it was. */
  readonly incomplete?: string;
}
