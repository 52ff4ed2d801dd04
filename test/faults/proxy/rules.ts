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
}

/** When something happens to a request: before the server sees it, or after it has committed and before its answer is passed on. */
export type Moment = 'before' | 'committed' | 'answered';

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
  /** Never answers, and keeps the connection open. */
  | { readonly do: 'stall'; readonly at: 'before' | 'committed' }
  /** Waits, then goes on as usual. */
  | { readonly do: 'delay'; readonly milliseconds: number }
  /** Calls the campaign's hook (which kills the client). Nothing is passed on after that but for `answered`. */
  | { readonly do: 'kill'; readonly at: Moment }
  /** Passes the answer on a few bytes at a time: slow, and cut anywhere, inside a character as well. */
  | { readonly do: 'trickle'; readonly bytes: number; readonly everyMilliseconds: number };

/** What happens to the frames of a watch. */
export type FrameFault =
  /** Loses frames `from` to `from + count - 1`, counted on each stream from 0, bookmarks aside. */
  | { readonly do: 'dropFrames'; readonly from: number; readonly count: number }
  /** Holds frames back until `release(rule)`. The stream stays open and its bookmarks are held as well. */
  | { readonly do: 'holdFrames'; readonly from: number }
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
  /** No bytes any more after so many frames, and no end: a connection that is half open. */
  | { readonly do: 'freezeStream'; readonly after: number };

export type Fault = RequestFault | FrameFault;

/** A fault, the requests that it befalls, and how often. */
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
   * Befalls so many requests, then is spent.
   *
   * @default 1
   */
  readonly times?: number;
}

const FRAME_FAULTS: ReadonlySet<Fault['do']> = new Set([
  'dropFrames',
  'holdFrames',
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
    (match.write === undefined || match.write === exchange.write)
  );
}

/** The rules in force, and how often each has struck. */
export class RuleBook {
  readonly #rules: { readonly rule: Rule; seen: number; struck: number }[] = [];

  add(rule: Rule): void {
    this.#rules.push({ rule, seen: 0, struck: 0 });
  }

  clear(): void {
    this.#rules.length = 0;
  }

  /** How often `rule` has struck. */
  struck(rule: Rule): number {
    return this.#rules.find((entry) => entry.rule === rule)?.struck ?? 0;
  }

  /** The faults that befall `exchange`, in the order of their rules; asking counts as one request. */
  strike(exchange: Exchange): readonly Rule[] {
    const hits: Rule[] = [];
    for (const entry of this.#rules) {
      if (!matches(entry.rule.on, exchange)) continue;
      entry.seen += 1;
      if (entry.seen <= (entry.rule.skip ?? 0) || entry.struck >= (entry.rule.times ?? 1)) continue;
      entry.struck += 1;
      hits.push(entry.rule);
    }
    return hits;
  }
}
