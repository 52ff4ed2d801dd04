import type { Identity, Kind } from './engine/api/index.ts';
import type { Logger, Tracer } from './engine/telemetry/index.ts';
import type { ConnectionSettings } from './kube/index.ts';

/** What an operator is run with. */
export interface OperatorOptions {
  /** How to reach the API server. */
  readonly connection: ConnectionSettings;
  /** Who it is: what its writes, labels, annotations, requests and metrics are named by. */
  readonly identity: Identity;
  readonly kinds: readonly Kind[];
  /**
   * The one namespace to work in.
   *
   * @default - all namespaces
   */
  readonly namespace?: string;
  /**
   * The Lease whose holder works while others stand by.
   *
   * @default - none: this is the only one
   */
  readonly leaderElection?: {
    readonly namespace: string;
    /** @default - the name of the operator */
    readonly name?: string;
  };
  /**
   * How many resources of a kind are worked on at once.
   *
   * @default 20
   */
  readonly workers?: number;
  /**
   * How often the operator checks which optional types the API server serves, in milliseconds.
   *
   * @default 60000
   */
  readonly recheckMs?: number;
  /**
   * Where `/healthz`, `/readyz` and `/metrics` are served; 0 takes any port that is free.
   *
   * @default 8080
   */
  readonly port?: number;
  /**
   * The address to serve them on.
   *
   * @default - all
   */
  readonly host?: string;
  /**
   * Where a pod's address is reached from here.
   *
   * @default - at the address itself
   */
  readonly podAddress?: (ip: string) => string;
  /**
   * Of this program, for metrics.
   *
   * @default 'unknown'
   */
  readonly version?: string;
  /**
   * Told of each reconcile, and of what it asks the API server.
   *
   * @default - reconciles are not traced
   */
  readonly tracer?: Tracer;
  /** @default - JSON lines on standard error */
  readonly log?: Logger;
  /** Ends the operator in good order. */
  readonly signal: AbortSignal;
  /** Called once the operator works, or stands by, with the port of its probes. */
  readonly started?: (port: number) => void;
}
