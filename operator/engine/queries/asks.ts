import type { Json } from '../../../constructs/schema/json.ts';
import type { Answer, AskQuery, Kind, Resource } from '../api/index.ts';
import type { Count } from './lookups/limits.ts';

/** Longest time of an answer, in milliseconds. */
const DEADLINE_MS = 30_000;

/** Largest answer, as JSON, in characters: it is kept in memory for as long as it is asked for. */
const LARGEST = 65_536;

/** An answer without its time. */
type Found = Extract<Answer, { readonly type: 'ask' }>;

/**
 * Has a function of the kind answer an ask.
 *
 * @throws what it throws; where there is no such function, it takes too long, or what it gives is not plain data
 */
export async function answerAsk(
  { asks = {} }: Pick<Kind, 'asks'>,
  { name, input }: AskQuery,
  resource: Resource,
  { signal, count }: { readonly signal: AbortSignal; readonly count: Count },
): Promise<Omit<Found, 'at'>> {
  const ask = Object.hasOwn(asks, name) ? asks[name] : undefined;
  if (ask === undefined)
    throw new Error(`there is no ask ${name}: ${resource.kind} has ${Object.keys(asks).join(', ') || 'none'}`);
  signal.throwIfAborted();
  const limit = new AbortController();
  const ended = AbortSignal.any([signal, limit.signal]);
  const late = Promise.withResolvers<never>();
  ended.addEventListener('abort', () => late.reject(ended.reason as Error), { once: true });
  const timer = setTimeout(
    () => limit.abort(new Error(`${name} has not answered within ${DEADLINE_MS / 1_000} s`)),
    DEADLINE_MS,
  );
  try {
    const answer = await Promise.race([ask(input as never, { resource, signal: ended }), late.promise]);
    return { type: 'ask', value: plainData(name, answer, count) };
  } finally {
    clearTimeout(timer);
    // Anyone who waits for the signal ends as well.
    limit.abort(new Error(`${name} is over`));
  }
}

/** An answer as it will be compared with the next one: what JSON can't say would differ each time. */
function plainData(name: string, answer: unknown, count: Count): Json {
  const text = JSON.stringify(answer ?? null) as string | undefined;
  if (text === undefined) throw new Error(`the answer to ${name} must be plain data, and is a ${typeof answer}`);
  count(text.length);
  if (text.length > LARGEST)
    throw new Error(`the answer to ${name} has ${text.length} characters of at most ${LARGEST}`);
  return JSON.parse(text) as Json;
}
