import { isDeepStrictEqual } from 'node:util';
import { delayAfter } from '../../kube/index.ts';
import type { Clock } from '../queue/index.ts';
import type { Query, Answer, Resource } from '../api/index.ts';

export interface ResolverOptions {
  /**
   * Finds an answer out. What it throws becomes an answer of type `unknown`.
   *
   * @param signal - aborted once nobody wants to know any more
   */
  readonly answer: (query: Query, about: Resource, signal: AbortSignal) => Promise<Answer>;
  /** Called when what is known for a key has changed. */
  readonly enqueue: (key: string) => void;
  /**
   * Told how much a key asks where that is more than MOST_QUERIES: once, until it asks less.
   *
   * @default - nobody is told
   */
  readonly capped?: (key: string, queries: number) => void;
  readonly clock: Clock;
  /**
   * A number from 0 (included) to 1 (excluded).
   *
   * @default Math.random
   */
  readonly random?: () => number;
}

interface Inquiry {
  readonly query: Query;
  /** The resource as it was when it last asked. */
  about: Resource;
  answer?: Answer;
  /** How often in a row it could not be found out. */
  failures: number;
  /** Ends the look-up that waits or is under way, or cancels the next one. */
  cancel?: () => void;
}

/**
 * Most asks of one resource: one for each of 1,000 replicas that drain, and as many for what else a spec refers to. What
 * is beyond is not asked, since it comes from labels that anybody can put on any number of pods.
 */
export const MOST_QUERIES = 2_000;

/** Longest message of what could not be found out, in characters: it may be the words of a pod. */
export const LONGEST_MESSAGE = 512;

/** Share of the interval that is random, so that what was asked together isn't asked together forever. */
const JITTER = 0.2;

/** After the first failure, in milliseconds; twice as long after each further one, up to the ask's own interval. */
const RETRY_MS = 1_000;

/**
 * Answers what kinds ask, in the background: at once when it is new, and again at its interval for as long as it is
 * asked, sooner where it could not be found out. An answer that differs from the one before wakes its key.
 */
export class Resolver {
  readonly #options: ResolverOptions;
  readonly #random: () => number;
  readonly #inquiries = new Map<string, Map<string, Inquiry>>();
  /** Keys that ask more than is asked for them. */
  readonly #capped = new Set<string>();

  constructor(options: ResolverOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  /** What is known for a key, by the ids of its asks. */
  of(key: string): Readonly<Record<string, Answer>> {
    const known: Record<string, Answer> = {};
    for (const [id, { answer }] of this.#inquiries.get(key) ?? []) if (answer !== undefined) known[id] = answer;
    return known;
  }

  /** What a key wants to know from now on, up to MOST_QUERIES; all else is forgotten. */
  want(key: string, queries: readonly Query[], about: Resource): void {
    this.#cap(key, queries.length);
    const before = this.#inquiries.get(key) ?? new Map<string, Inquiry>();
    const after = new Map<string, Inquiry>();
    for (const query of queries.slice(0, MOST_QUERIES)) {
      const known = before.get(query.id);
      if (
        known !== undefined &&
        known.about.metadata.uid === about.metadata.uid &&
        isDeepStrictEqual(known.query, query)
      ) {
        known.about = about;
        after.set(query.id, known);
      } else {
        after.set(query.id, { query, about, failures: 0 });
      }
    }
    for (const [id, inquiry] of before) if (after.get(id) !== inquiry) inquiry.cancel?.();
    if (after.size === 0) this.#inquiries.delete(key);
    else this.#inquiries.set(key, after);
    for (const [id, inquiry] of after) if (before.get(id) !== inquiry) void this.#inquire(key, inquiry);
  }

  forget(key: string): void {
    for (const { cancel } of this.#inquiries.get(key)?.values() ?? []) cancel?.();
    this.#inquiries.delete(key);
    this.#capped.delete(key);
  }

  /** Asks nothing any more. */
  stop(): void {
    for (const key of this.#inquiries.keys()) this.forget(key);
  }

  #cap(key: string, queries: number): void {
    const isAnswered = this.#capped.delete(key);
    if (queries <= MOST_QUERIES) return;
    this.#capped.add(key);
    if (!isAnswered) this.#options.capped?.(key, queries);
  }

  async #inquire(key: string, inquiry: Inquiry): Promise<void> {
    const { clock, enqueue } = this.#options;
    const lookUp = new AbortController();
    inquiry.cancel = () => lookUp.abort(FORGOTTEN);
    const answer = await this.#answer(inquiry, lookUp.signal);
    if (this.#inquiries.get(key)?.get(inquiry.query.id) !== inquiry) return;
    const isNews = !isSame(inquiry.answer, answer);
    inquiry.answer = answer;
    inquiry.failures = answer.type === 'unknown' ? inquiry.failures + 1 : 0;
    const pauseMs = intervalOf(inquiry) * (1 - JITTER * this.#random());
    inquiry.cancel = clock.after(pauseMs, () => void this.#inquire(key, inquiry));
    if (isNews) enqueue(key);
  }

  async #answer({ query, about }: Inquiry, signal: AbortSignal): Promise<Answer> {
    try {
      return await this.#options.answer(query, about, signal);
    } catch (error) {
      const message = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_MESSAGE);
      return { at: this.#options.clock.now(), type: 'unknown', message };
    }
  }
}

/** Why a look-up is ended. One for all, since there may be thousands. */
const FORGOTTEN = new Error('nobody wants to know any more');

/** Until it is asked again, in milliseconds. */
function intervalOf({ query, failures }: Inquiry): number {
  const regular = query.everySeconds * 1_000;
  return failures === 0 ? regular : delayAfter(failures, { first: RETRY_MS, longest: regular });
}

/** Whether two answers say the same, whenever they were given. */
const isSame = (before: Answer | undefined, after: Answer): boolean =>
  before !== undefined && isDeepStrictEqual({ ...before, at: 0 }, { ...after, at: 0 });
