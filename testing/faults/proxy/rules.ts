import type { Exchange, Verb } from './exchange.ts';

/** Which requests a rule is about; what is left out matches all. */
export interface Match {
  readonly verb?: Verb | readonly Verb[];
  readonly resource?: string | readonly string[];
  readonly namespace?: string;
  readonly name?: string | RegExp;
  readonly subresource?: string | null;
  /** Only requests that may change something, or only those that don't. */
  readonly write?: boolean;
  /** Only what begins with all that exists (lists, and watches that stream one), or only watches that continue from a version. */
  readonly initial?: boolean;
}

/** Death at once, or a request to stop. */
export type Signal = 'SIGKILL' | 'SIGTERM';

/** When something happens to a request: before the server sees it, after it has committed and before its answer is passed on, or after that. */
export type Point = 'before' | 'committed' | 'answered';

/** What happens to a request as a whole. */
export type RequestFault =
  /** Answers in the server's place. */
  | {
      readonly do: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Resets the connection: before the server sees the request, or after it has carried it out. */
  | { readonly do: 'reset'; readonly at: 'before' | 'committed' }
  /** Never answers, and keeps the connection open: for so many milliseconds, or forever. */
  | { readonly do: 'stall'; readonly at: 'before' | 'committed'; readonly milliseconds?: number }
  /** Waits, then continues as usual. */
  | { readonly do: 'delay'; readonly milliseconds: number }
  /** Calls the hook that sends the client a signal. Nothing is passed on after that but for `answered`. */
  | {
      readonly do: 'kill';
      readonly at: Point;
      /** @default 'SIGKILL' */
      readonly signal?: Signal;
    }
  /** Passes half of the answer's body on, then resets the connection. */
  | { readonly do: 'truncate' }
  /** Passes the answer on a few bytes at a time: slow, and cut anywhere, inside a character as well. */
  | { readonly do: 'trickle'; readonly bytes: number; readonly everyMilliseconds: number }
  /**
   * Of what begins with all that exists: answers as a server in the past, which learns of what it has missed only after a
   * while. Where nothing had been told by then, it is answered as usual, and so is a list of which no old state will do.
   */
  | { readonly do: 'timeTravel'; readonly to: Moment; readonly catchUpAfterMilliseconds: number };

/** A moment in the past: some time ago, or right before an object of a resource was last told to be gone. */
export type Moment = { readonly millisecondsAgo: number } | { readonly beforeTheLastEndOf: string };

/** What happens to the frames of a watch. */
export type FrameFault =
  /**
   * Goes blind at frame `from`, counted on each stream from 0 once its list has been told, bookmarks aside, or at the
   * first one after it of a type.
   * What comes then is lost; in the end the server says 410, so that it is never told again.
   */
  | {
      readonly do: 'loseFrames';
      readonly from: number;
      readonly type?: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly milliseconds: number;
    }
  /** Each frame comes so much later. */
  | { readonly do: 'delayFrames'; readonly milliseconds: number }
  /** Loses every bookmark, the one that ends the initial events among them. */
  | { readonly do: 'dropBookmarks' }
  /** Sends each frame twice. */
  | { readonly do: 'repeatFrames' }
  /** After each frame of an object sends its frame before that again: an old state after a new one. */
  | { readonly do: 'replayOldFrames' }
  /** Swaps frames two by two. */
  | { readonly do: 'swapFrames' }
  /** Ends the stream after so many frames: cleanly, or with a reset, or with a frame cut in its middle. */
  | { readonly do: 'endStream'; readonly after: number; readonly how: 'clean' | 'reset' | 'cut' }
  /** Puts a frame of its own after so many frames: an ERROR of 410, garbage, an unknown type. */
  | { readonly do: 'insertFrame'; readonly after: number; readonly frame: string }
  /** No bytes any more after so many frames: a connection that is half open, for so many milliseconds, or forever. */
  | { readonly do: 'freezeStream'; readonly after: number; readonly milliseconds?: number };

export type Fault = RequestFault | FrameFault;

/** A fault, the requests that it affects, and how often. */
export interface Rule {
  readonly on: Match;
  readonly fault: Fault;
  /**
   * Lets so many matching requests pass first.
   *
   * @default 0
   */
  readonly skip?: number;
  /**
   * Affects so many requests, then is spent.
   *
   * @default 1
   */
  readonly times?: number;
}

const FRAME_FAULTS: ReadonlySet<Fault['do']> = new Set([
  'loseFrames',
  'delayFrames',
  'dropBookmarks',
  'repeatFrames',
  'replayOldFrames',
  'swapFrames',
  'endStream',
  'insertFrame',
  'freezeStream',
] as const);

export function isFrameFault(fault: Fault): fault is FrameFault {
  return FRAME_FAULTS.has(fault.do);
}

function oneOf<T>(wanted: T | readonly T[] | undefined, got: T | undefined): boolean {
  if (wanted === undefined) return true;
  return got !== undefined && (Array.isArray(wanted) ? wanted.includes(got) : wanted === got);
}

/** Whether `exchange` is one that `match` is about. */
export function matches(match: Match, exchange: Exchange): boolean {
  return (
    oneOf(match.verb, exchange.verb) &&
    oneOf(match.resource, exchange.resource) &&
    (match.namespace === undefined || match.namespace === exchange.namespace) &&
    (match.name === undefined ||
      (exchange.name !== undefined &&
        (typeof match.name === 'string' ? match.name === exchange.name : match.name.test(exchange.name)))) &&
    (match.subresource === undefined || match.subresource === (exchange.subresource ?? null)) &&
    (match.write === undefined || match.write === exchange.write) &&
    (match.initial === undefined || match.initial === isInitial(exchange))
  );
}

const isInitial = ({ verb, query }: Exchange): boolean => verb === 'list' || query.has('sendInitialEvents');

interface Entry {
  readonly rule: Rule;
  /** Whether it ends with the step in which it was added. */
  readonly ofStep: boolean;
  seen: number;
  struck: number;
  ended: boolean;
}

/** The rules in force, and how often they have struck. */
export class RuleBook {
  readonly #entries: Entry[] = [];

  add(rule: Rule): void {
    this.#add(rule, false);
  }

  /** Puts rules in force for one step, instead of those of the step before. */
  step(rules: readonly Rule[]): void {
    for (const entry of this.#entries) entry.ended ||= entry.ofStep;
    for (const rule of rules) this.#add(rule, true);
  }

  /** How often all rules together have struck. */
  get strikes(): number {
    return this.#entries.reduce((sum, { struck }) => sum + struck, 0);
  }

  /** The faults that affect `exchange`, in the order of their rules; asking counts as one request. */
  strike(exchange: Exchange): readonly Fault[] {
    const hits: Fault[] = [];
    for (const entry of this.#entries) {
      const { rule } = entry;
      if (entry.ended || !matches(rule.on, exchange)) continue;
      entry.seen += 1;
      if (entry.seen <= (rule.skip ?? 0) || entry.struck >= (rule.times ?? 1)) continue;
      entry.struck += 1;
      hits.push(rule.fault);
    }
    return hits;
  }

  #add(rule: Rule, ofStep: boolean): void {
    this.#entries.push({ rule, ofStep, seen: 0, struck: 0, ended: false });
  }
}
