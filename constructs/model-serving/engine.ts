import type { Accelerator } from '../parts/pod/index.ts';
import type { EnvVar } from '../parts/objects/index.ts';
import type { DraftMethod, IpFamily } from './engines.ts';

/** A draft model, as a command line names it. */
export interface Draft {
  /** The folder that holds it. */
  readonly path: string;
  readonly method: DraftMethod;
  /** Tokens that it proposes at a time; absent where the engine chooses. */
  readonly tokens?: number | undefined;
}

/** A pod of a replica that has several. */
export interface GroupMember {
  /** Pods of the replica. */
  readonly size: number;
  /** Ranks that each pod has: its GPUs, or one where it computes on CPUs. */
  readonly ranksPerPod: number;
  /** The leader answers requests; workers only compute. */
  readonly role: 'leader' | 'worker';
  /** The leader's host name, as the LeaderWorkerSet's controller tells it: `$(LWS_LEADER_ADDRESS)`. */
  readonly leaderAddress: string;
  /** The pod's number in its replica: 0 for the leader, `$(LWS_WORKER_INDEX)` for a worker. */
  readonly index: string;
}

/** What an engine's command line is built from. */
export interface Launch {
  /** The folder that holds the model. */
  readonly modelPath: string;
  /**
   * The folder of a tokenizer from elsewhere.
   *
   * @default - the model has its own
   */
  readonly tokenizerPath?: string | undefined;
  /**
   * The draft model of speculative decoding.
   *
   * @default - none
   */
  readonly draft?: Draft | undefined;
  /** The name that clients ask for. */
  readonly servedName: string;
  readonly port: number;
  /** The family of all addresses of the pod that it listens on. */
  readonly ipFamily: IpFamily;
  readonly tensor: number;
  readonly pipeline: number;
  /** Copies of the model in one replica. */
  readonly data: number;
  /** Whether each expert is whole on one GPU. */
  readonly expert: boolean;
  /**
   * The pod's place among those of its replica.
   *
   * @default - a replica is one pod
   */
  readonly group?: GroupMember | undefined;
  /** Seconds that requests in flight have to end. */
  readonly drainSeconds: number;
  /** Whether it is the release for CPUs that the table names; of an image of the user's nobody knows what it takes. */
  readonly isOwnOnCpus: boolean;
}

/**
 * The names under which an engine publishes what scaling and draining need; absent where it does not. Engines rename
 * them between releases: these are those of the image that the table pins.
 */
export interface MetricNames {
  /** Gauge: requests being worked on. */
  readonly running?: string;
  /** Gauge: requests that wait. */
  readonly waiting?: string;
  /** Gauge, 0 to 1: use of the KV cache. */
  readonly kvCacheUsage?: string;
  /** Histogram, seconds: time to the first token. */
  readonly timeToFirstToken?: string;
  /** Histogram, seconds: time between two tokens. */
  readonly interTokenLatency?: string;
  /** Counter: tokens generated, counted while a request runs; one that counts at its end tells no rate. */
  readonly generatedTokens?: string;
  /** Gauge: tokens generated a second, as the engine measures it. */
  readonly tokensPerSecond?: string;
}

/** Where an engine publishes its metrics. */
export interface Metrics {
  readonly path: string;
  /**
   * A port of its own.
   *
   * @default - the port that it serves on
   */
  readonly port?: number;
  readonly names: MetricNames;
}

/** All that the construct knows of an engine. */
export interface Engine {
  /**
   * A release of it for each accelerator, pinned by digest where one is known. Where there is none the spec must name one: none
   * is published, or there are several and nothing in the spec tells which one can run.
   */
  readonly images: Readonly<Partial<Record<Accelerator, string>>>;
  /**
   * What a spec can name where `images` has none: a clause that follows the name of the engine.
   *
   * @default - nothing is known
   */
  readonly choice?: Readonly<Partial<Record<Accelerator, string>>>;
  /** The port that it serves on, where the spec names none. */
  readonly port: number;
  /** Path of the API below the Service: `/v1` for those that speak OpenAI's. */
  readonly apiPath: string;
  /** In place of the image's entry point, which changes between releases. */
  readonly command?: readonly string[];
  readonly args: (launch: Launch) => readonly string[];
  readonly env: readonly EnvVar[];
  /**
   * Variables of a pod that is one of several of its replica, beside `env`.
   *
   * @default - none
   */
  readonly groupEnv?: readonly EnvVar[];
  /**
   * Variables where a replica has several copies of the model, beside `env`.
   *
   * @default - none
   */
  readonly copiesEnv?: readonly EnvVar[];
  /**
   * Ports that the leader of a group takes for its ranks, beside those that each rank chooses as it starts.
   *
   * @default - none
   */
  readonly groupPorts?: readonly number[];
  /**
   * Paths that answer 200: `ready` once the model is loaded, `alive` as long as a restart would not help.
   *
   * @default - none: that the port accepts connections is enough
   */
  readonly health?: (servedName: string) => { readonly ready: string; readonly alive: string };
  /**
   * Port of its gRPC API.
   *
   * @default - it has none
   */
  readonly grpcPort?: number;
  /**
   * Where it publishes metrics.
   *
   * @default - nowhere, as far as we know
   */
  readonly metrics?: Metrics;
  /**
   * Whether the leader of a group publishes the requests of those copies of the model alone that its own pod computes.
   *
   * @default false
   */
  readonly countsOwnCopies?: boolean;
  /**
   * Whether workers of a group answer the probes of the leader, on its port.
   *
   * @default false
   */
  readonly workersAnswer?: boolean;
  /**
   * How a pod waits for its requests before it is told to stop: `poll` asks the metrics from inside the pod with the
   * image's Python; `self` leaves it to the engine, which ends its requests after SIGTERM; `sleep` waits for the whole
   * time, since nobody can tell.
   */
  readonly drain: 'poll' | 'self' | 'sleep';
}
