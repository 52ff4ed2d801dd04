import type { ResourceStatus } from '../status/types.ts';
import type { Table } from '../top/types.ts';

/**
 * What the page asks the server, and what it answers. Every path but that of the page itself asks for the header
 * `authorization: Bearer TOKEN`, with the token of the fragment of the URL.
 *
 * An error is `{ error: string }` with a status of 400, 401, 403, 404, 421 or 500: one sentence that says what to do.
 */

/** `GET /api/session` */
export interface Session {
  readonly version: string;
  /** The context of the kubeconfig; empty in a pod. */
  readonly context: string;
  readonly server: string;
  /** The namespace that the page begins with; null for all of them. */
  readonly namespace: string | null;
}

/** A resource in a line. */
export interface ResourceLine {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly phase: string;
  /** What its most telling condition says. */
  readonly message: string;
  /** How it does, for a colour and a sign: the page tells the phase beside it. */
  readonly state: 'ok' | 'waiting' | 'failed';
  /** In ISO 8601. */
  readonly createdAt: string;
}

/** `GET /api/overview?namespace=NAMESPACE`; without a namespace, of all of them. Answers 304 by ETag. */
export interface Overview {
  readonly resources: readonly ResourceLine[];
  /** What is to be known beside that: that no operator looks, what may not be seen. */
  readonly notes: readonly string[];
}

/** How far the weights are. */
export interface Download {
  readonly bytes: number;
  /** Absent where the source has not told yet. */
  readonly totalBytes?: number;
  /** Absent where it is not known yet. */
  readonly secondsLeft?: number;
}

/** A try of a training, or a trial of a search. */
export interface Attempt {
  readonly label: string;
  /** In ISO 8601. */
  readonly startedAt: string;
  /** Absent while it runs. */
  readonly endedAt?: string;
  readonly state: 'running' | 'succeeded' | 'failed';
  /** Why it ended, in a sentence. */
  readonly message?: string;
}

/** What the cluster told of a resource or of what it owns, the latest first. */
export interface EventLine {
  readonly kind: string;
  readonly name: string;
  readonly warning: boolean;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** In ISO 8601. */
  readonly at: string;
}

/** `GET /api/resource?kind=KIND&namespace=NAMESPACE&name=NAME`. Answers 304 by ETag. */
export interface Detail {
  readonly status: ResourceStatus;
  readonly download?: Download;
  /** The first one first. */
  readonly attempts: readonly Attempt[];
  readonly events: readonly EventLine[];
  /** Names of its pods, in the order of `trunnion logs`, with their containers. */
  readonly pods: readonly { readonly name: string; readonly containers: readonly string[] }[];
  /** Whether it is a search: `GET /api/search.svg` with the same query draws it. */
  readonly isSearch: boolean;
  /** Whether it can be asked by the chat, and why not yet. */
  readonly chat?: { readonly ready: boolean; readonly reason?: string };
}

/** `GET /api/top?namespace=NAMESPACE` */
export type Top = Table;

/**
 * `GET /api/logs?kind=KIND&namespace=NAMESPACE&name=NAME[&pod=POD][&container=CONTAINER][&tail=LINES]` follows the logs:
 * a line of JSON for each line, until the page goes away.
 */
export interface LogLine {
  /** `POD/CONTAINER`, as `trunnion logs` shortens it. */
  readonly source: string;
  readonly text: string;
}

/** The body of `POST /api/chat`. */
export interface Ask {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The whole conversation; the last one is of the user. */
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
}

/** What `POST /api/chat` answers: a line of JSON for each piece, and a last one with `ending` or `error`. */
export type ChatPiece =
  | { readonly text: string }
  | { readonly ending: string; readonly tokens?: number; readonly tokensPerSecond?: number; readonly seconds: number }
  | { readonly error: string };
