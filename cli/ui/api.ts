import type { ResourceStatus } from '../status/types.ts';
import type { Table } from '../top/types.ts';

/**
 * What the page asks the server, and what it answers.
 *
 * The page is `PAGE` of page.generated.ts: `html` at `/`, `script` at `/app.js`, `style` at `/app.css`. All else is below
 * `/api/`, and asks for the header `authorization: Bearer TOKEN`, with the token of the fragment of the URL. An image can
 * send no header: `/api/search.svg` is fetched, and shown by a `blob:` URL.
 *
 * An error is `{ error: string }`, one sentence that says what to do, with one of these statuses:
 *
 * - 400, 404, 405, 413, 414, 415: what was asked for is not there, or not in its form
 * - 401: the token is missing, or of an earlier run
 * - 403: another site asks; 421: the server is called by another name
 * - 429: too many streams are open
 * - 500: the server failed
 * - 502: the cluster, or the server of a model, refuses or does not answer
 *
 * Nothing is kept by the browser (`cache-control: no-store`). For a 304, send `if-none-match` with the ETag that came last.
 * All texts are plain: control characters and what turns the direction of writing are replaced; newlines and tabs stay.
 *
 * A browser opens six connections to a server: more streams than four leave too few for the rest.
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
  readonly state: LineState;
  /** In ISO 8601. */
  readonly createdAt: string;
}

export type LineState = 'ok' | 'waiting' | 'failed';

/** `GET /api/overview?namespace=NAMESPACE`; without a namespace, of all of them. Answers 304 by ETag. */
export interface Overview {
  readonly resources: readonly ResourceLine[];
  /** What is to be known beside that: that no operator looks, what may not be seen. */
  readonly notes: readonly string[];
}

/** How far the weights are. */
export interface Download {
  readonly uri: string;
  readonly bytes: number;
  /** Absent where the source has not told yet. */
  readonly totalBytes?: number;
  /** Whether they are complete. */
  readonly done: boolean;
  /** Absent where it is not known: it follows from the progress of half a minute. */
  readonly secondsLeft?: number;
}

/** A try of a training, or a trial of a search. */
export interface Attempt {
  readonly label: string;
  /** In ISO 8601. */
  readonly startedAt: string;
  /** Absent while it runs. */
  readonly endedAt?: string;
  /** `interrupted` where it ended for another reason than its program: its node was lost, its spec was changed. */
  readonly state: 'running' | 'succeeded' | 'failed' | 'interrupted';
  /** Why it ended, or what came of it, in a sentence. */
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
  /** As in its line. */
  readonly state: LineState;
  /** What its most telling condition says, as in its line. */
  readonly message: string;
  readonly download?: Download;
  /** Of a training its attempts, of a search its trials; the first one first. */
  readonly attempts: readonly Attempt[];
  /** 100 at the most. */
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
 * a line of JSON for each piece, until the page goes away, or the resource has run to its end. `tail` is the number of
 * lines that each container begins with, from 0 to 9999; 200 by default. 20 streams may be open.
 */
export type LogPiece =
  | LogLine
  /** What can't be shown of it: a container without a log, more containers than are followed at once. */
  | { readonly note: string }
  /** The last one: it broke off. */
  | { readonly error: string };

/** A line that a pod printed. */
export interface LogLine {
  /** `POD/CONTAINER`, as `trunnion logs` shortens it. */
  readonly source: string;
  /** In ISO 8601; empty where the node does not tell. */
  readonly at: string;
  readonly text: string;
}

/** The body of `POST /api/chat`, with the header `content-type: application/json`; 1 MiB at the most. */
export interface ChatRequest {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The whole conversation; the last one is of the user. */
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
}

/**
 * What `POST /api/chat` answers: a line of JSON for each piece, and a last one with `ending` or `error`. What goes wrong
 * before the first piece is an error with a status. 4 questions may be open.
 */
export type ChatPiece =
  | { readonly text: string }
  /** A piece of what the model thinks before it answers; it is not a part of the conversation. */
  | { readonly thought: string }
  /** What is odd about the server: its model has no chat template, and continues the prompt. */
  | { readonly note: string }
  | ChatEnding
  | { readonly error: string };

/** How an answer came. */
export interface ChatEnding {
  /** Why it ended: `stop`, or `length` where it may write no more. */
  readonly ending: string;
  readonly tokens?: number;
  /** Of the tokens after the first. */
  readonly tokensPerSecond?: number;
  readonly firstTokenSeconds: number;
  /** From the question to the last token. */
  readonly seconds: number;
}
