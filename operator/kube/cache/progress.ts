import { delayAfter, ApiError, isExpired, isTooLargeVersion, TransportError } from '../client/index.ts';
import { FrameError } from './frames.ts';
import { isOlder, newerOf } from './version.ts';

/** What to ask the server for next. */
export type Step =
  /** Stream the initial list and continue watching (WatchList). */
  | { readonly do: 'stream'; readonly notOlderThan: string }
  /** List page by page. */
  | { readonly do: 'list'; readonly notOlderThan: string }
  /** Watch on from a version. */
  | { readonly do: 'watch'; readonly from: string }
  /** Ask for the server's present version, by a list of one object. */
  | { readonly do: 'probe' };

/** How a step ended. */
export type Outcome =
  /** The list is complete. */
  | { readonly type: 'listed'; readonly version: string }
  /** The server's present version. */
  | { readonly type: 'reported'; readonly version: string }
  /** The server ended the watch. */
  | { readonly type: 'ended'; readonly frames: number; readonly ms: number; readonly synced: boolean }
  /** `inStream`: it came as a frame, or was one, so the watch had been opened. */
  | { readonly type: 'failed'; readonly error: unknown; readonly inStream: boolean; readonly synced: boolean };

type Failure = Outcome & { readonly type: 'failed' };

/** How the cache stands to the server. */
export type State =
  /** Never complete so far. */
  | 'starting'
  /** Complete, and told of every change. */
  | 'live'
  /** Trying again; what the cache holds may be old. */
  | 'retrying'
  /** The server refuses: RBAC. Tried again ever more seldom. */
  | 'forbidden'
  /** The server doesn't know the type: its CRD is not there. Tried again ever more seldom. */
  | 'missing';

/** All that decides on the next step. */
export interface Progress {
  readonly next: Step['do'];
  /** The newest version that the server told; '' before the first list. It never goes back, but for `restored`. */
  readonly version: string;
  /** Whether the server is believed to stream lists. */
  readonly streams: boolean;
  /** The version is out of the server's history, so the next list must name none. Such a read is consistent. */
  readonly consistent: boolean;
  readonly state: State;
  /** Failures in a row, for the backoff. */
  readonly failures: number;
  /** When the last failure was, in milliseconds. */
  readonly failedAt: number;
  /** How long to wait before the next step, in milliseconds. */
  readonly waitMs: number;
  /** What is wrong; undefined where all is well. */
  readonly failure: unknown;
  /** What went wrong last, though it may be well since; undefined where nothing ever did. */
  readonly lastFailure: unknown;
}

/** The server answered with an older state than it was asked for. */
export class StaleAnswerError extends Error {
  override readonly name = 'StaleAnswerError';
}

/** The server did not end the initial events of a stream in time. */
export class NoInitialEndError extends Error {
  override readonly name = 'NoInitialEndError';
}

// The backoff is client-go's: 0.8 s, doubled up to 30 s, up to twice that by jitter, forgotten after 2 min of health.
const FIRST_WAIT_MS = 800;
const LONGEST_WAIT_MS = 30_000;

/** To try a server that nobody reaches costs it nothing: so one that is back is seen within 4 s, however long it was away. */
const LONGEST_BRIEF_WAIT_MS = 2_000;

const HEALTHY_MS = 120_000;

/** A watch that ends sooner, and told nothing, is a failure: some servers close instead of answering 410. */
const VERY_SHORT_MS = 1_000;

export const START: Progress = {
  next: 'stream',
  version: '',
  streams: true,
  consistent: false,
  state: 'starting',
  failures: 0,
  failedAt: 0,
  waitMs: 0,
  failure: undefined,
  lastFailure: undefined,
};

/** The next step. */
export function nextStep({ next, version, consistent }: Progress): Step {
  if (next === 'probe') return { do: next };
  if (next === 'watch') return { do: 'watch', from: version };
  return { do: next, notOlderThan: consistent ? '' : version };
}

/** The list is complete at `version`; a stream continues as a watch. */
export function synced(progress: Progress, version: string): Progress {
  return {
    ...progress,
    next: 'watch',
    version: progress.consistent ? version : newerOf(progress.version, version),
    consistent: false,
    state: 'live',
    failure: undefined,
  };
}

/** The server accepted to watch on. */
export function opened(progress: Progress): Progress {
  return { ...progress, state: 'live', failure: undefined };
}

/** An event or a bookmark told of `version`. */
export function seen(progress: Progress, version: string): Progress {
  return { ...progress, version: newerOf(progress.version, version) };
}

/**
 * What follows from how a step ended.
 *
 * @param now - milliseconds of any clock that only goes forward
 * @param random - 0 to 1
 */
export function advance(progress: Progress, step: Step, outcome: Outcome, now: number, random: number): Progress {
  if (outcome.type === 'reported') return reported(progress, outcome.version);
  if (outcome.type === 'listed') return { ...synced(progress, outcome.version), waitMs: 0 };
  if (outcome.type === 'ended') {
    const short = outcome.ms < VERY_SHORT_MS;
    if (outcome.synced && !(short && outcome.frames === 0)) {
      return { ...progress, next: 'watch', waitMs: Math.max(0, VERY_SHORT_MS - outcome.ms) };
    }
    const error = new Error(`the server ended the ${step.do} after ${Math.round(outcome.ms)} ms`);
    const next = step.do === 'stream' ? 'list' : relist(progress);
    return failed({ ...progress, next }, { error, inStream: false, synced: outcome.synced }, now, random);
  }
  const { error } = outcome;
  // Whatever keeps it from being told keeps a watch from being opened as well, and that is told of.
  if (step.do === 'probe') return { ...progress, next: 'watch', waitMs: 0 };
  if (step.do === 'stream' && !outcome.synced && isUnableToStream(error)) {
    return { ...progress, streams: false, next: 'list', waitMs: 0 };
  }
  const next = nextAfter(progress, step, outcome);
  const consistent = progress.consistent || isExpired(error) || isTooLargeVersion(error);
  return failed({ ...progress, next, consistent: next === 'watch' ? false : consistent }, outcome, now, random);
}

/** A server that is behind what it had told has been put back to an earlier state: what it has now, only a list tells. */
function reported(progress: Progress, version: string): Progress {
  const isBehind = isOlder(version, progress.version);
  return { ...progress, next: isBehind ? 'list' : 'watch', consistent: isBehind, waitMs: 0 };
}

function nextAfter(progress: Progress, step: Step, outcome: Failure): Step['do'] {
  const { error, inStream } = outcome;
  if (step.do === 'stream' && !outcome.synced) {
    // The server may be able to list though it can't stream just now: to get ahead is better than to insist. And a
    // list tells its version first, so that a store restored from a backup shows before its objects are taken in.
    return error instanceof StaleAnswerError || (error instanceof ApiError && error.status >= 500) ? 'list' : 'stream';
  }
  if (isTooLargeVersion(error)) return 'list';
  if (step.do === 'list') return relist(progress);
  // A watch from a version that is yet to come is silent, without a word of it: so it is where etcd was restored.
  if (error instanceof TransportError && error.code === 'SILENT') return 'probe';
  const lost =
    isExpired(error) ||
    error instanceof FrameError ||
    error instanceof StaleAnswerError ||
    (error instanceof ApiError && (error.status === 404 || (inStream && error.status !== 429)));
  return lost ? relist(progress) : 'watch';
}

function relist(progress: Progress): 'stream' | 'list' {
  return progress.streams ? 'stream' : 'list';
}

/** An API server without WatchList refuses the parameter (422); an older one ignores it, and never ends the list. */
function isUnableToStream(error: unknown): boolean {
  if (error instanceof NoInitialEndError) return true;
  return error instanceof ApiError && (error.status === 422 || error.status === 400);
}

function failed(progress: Progress, how: Omit<Failure, 'type'>, now: number, random: number): Progress {
  const { error, inStream, synced: isSynced } = how;
  const isOver = isBack(error, progress.lastFailure) || now - progress.failedAt > HEALTHY_MS;
  const failures = isOver ? 1 : progress.failures + 1;
  const state = inStream ? 'retrying' : stateAfter(error);
  // A list that breaks off has cost the server much of its work.
  const isBrief = error instanceof TransportError && (isSynced || !inStream);
  // A refusal too is tried again soon at first: a server that is starting refuses until it has read its own rules.
  const grown = delayAfter(failures, {
    first: FIRST_WAIT_MS,
    longest: isBrief ? LONGEST_BRIEF_WAIT_MS : LONGEST_WAIT_MS,
  });
  // To have forgotten a version is no trouble of the server's. All who watched come back at once, though: jitter alone.
  const ours = failures === 1 && isExpired(error) ? 0 : grown;
  const theirs = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return {
    ...progress,
    state,
    failures,
    failedAt: now,
    waitMs: theirs === undefined ? ours + random * grown : asked(theirs) + random * FIRST_WAIT_MS,
    failure: error,
    lastFailure: error,
  };
}

/**
 * A server that names a time knows best, however often it has to: one that is starting says 1 s for each type until it has
 * read its objects, and to wait for twice as long each time would add as much to its start again.
 */
const asked = (seconds: number): number => Math.max(seconds * 1_000, FIRST_WAIT_MS);

/**
 * Whether a failure is another matter than the one before: a server that is back first refuses while it starts; then it
 * accepts to watch on, only to say that it has forgotten our version.
 */
function isBack(error: unknown, before: unknown): boolean {
  if (isExpired(error)) return before !== undefined && !isExpired(before);
  return error instanceof ApiError && before instanceof TransportError;
}

function stateAfter(error: unknown): State {
  if (!(error instanceof ApiError)) return 'retrying';
  if (error.status === 403) return 'forbidden';
  return error.status === 404 || error.status === 405 ? 'missing' : 'retrying';
}
