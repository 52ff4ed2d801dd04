import type { KubeObject, ObjectMeta } from './types.ts';

/** Parameters of a query; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Names one object. */
export interface ObjectRef {
  /** Absent for objects of the cluster. */
  readonly namespace?: string;
  readonly name: string;
}

/** An object as it is sent: what the server sets is left out. */
export interface ObjectBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata:
    | ObjectMeta
    | { readonly name?: string; readonly namespace?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** A page of a list. */
export interface ObjectList {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  /** Without `kind` and `apiVersion`, which the server leaves out of items of a built-in type's list. */
  readonly items: readonly KubeObject[];
}

/** For every request. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * Time for all attempts together, in milliseconds.
   *
   * @default 60000
   */
  readonly deadlineMs?: number;
  /**
   * Whether to try again where that is safe.
   *
   * @default true
   */
  readonly retry?: boolean;
  /**
   * Largest answer, in bytes; one that is larger is broken off, with an AnswerTooLargeError.
   *
   * @default - 10 MiB, which no object exceeds; 256 MiB for a list
   */
  readonly largestBytes?: number;
}

export interface ListOptions extends CallOptions {
  /** @default - all namespaces */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact';
}

export interface WriteOptions extends CallOptions {
  readonly fieldManager?: string;
  readonly subresource?: string;
  /** Checks and answers as if it were done, and does nothing. */
  readonly dryRun?: boolean;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes over fields that another manager owns with another value. */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  /** Only the object with this UID, never a namesake. */
  readonly uid?: string;
  /** Only as it was when we looked. */
  readonly resourceVersion?: string;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  /**
   * Seconds that a pod has to stop; 0 removes it without waiting for its node.
   *
   * @default - as its own spec says
   */
  readonly gracePeriodSeconds?: number;
  /**
   * Whether one that is not there is an error.
   *
   * @default false
   */
  readonly mustExist?: boolean;
}

export interface PodLogOptions extends CallOptions {
  readonly container?: string;
  readonly tailLines?: number;
  /** The log of the container's last run, before it was restarted. */
  readonly previous?: boolean;
  /**
   * So many bytes are read from the beginning of what `tailLines` chooses, so that its end is cut off.
   *
   * @default - all of them
   */
  readonly limitBytes?: number;
}

/** Which part of a container's log is read as it comes. */
export interface LogStreamOptions extends Pick<PodLogOptions, 'container' | 'tailLines' | 'previous'> {
  /**
   * Whether to wait for what the container is yet to say, until it ends.
   *
   * @default false
   */
  readonly follow?: boolean;
  /** Each line begins with the time at which it was said, in RFC 3339. */
  readonly timestamps?: boolean;
  /** Only what was said in this second or later, in RFC 3339. */
  readonly sinceTime?: string;
}

export interface RawOptions extends CallOptions {
  readonly query?: Query;
  readonly body?: unknown;
  /** @default 'application/json' */
  readonly contentType?: string;
  /**
   * Whether doing it twice is the same as doing it once.
   *
   * @default - true for GET and PUT
   */
  readonly repeatable?: boolean;
  /**
   * What it is called in metrics.
   *
   * @default - the method in lower case
   */
  readonly verb?: string;
  /**
   * What it is about in metrics.
   *
   * @default ''
   */
  readonly resource?: string;
}
