import { type Agent, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { events } from '../../../cli/chat/events.ts';

/** What each request asks for. */
export interface Question {
  /** Of a server without TLS; its path ends in `/chat/completions` or `/completions`. */
  readonly url: string;
  readonly model: string;
  readonly prompt: string;
  /** Tokens of the answer, which the server must not end earlier (`ignore_eos`). */
  readonly tokens: number;
  readonly stream: boolean;
  /** Until an answer must be complete, in milliseconds. */
  readonly timeout: number;
}

/** How a request ended. Times are in milliseconds from its start. */
export interface Outcome {
  /** Why it counts as failed; undefined where it doesn't. */
  readonly failure: string | undefined;
  readonly tokens: number;
  readonly latency: number;
  /** Until the first piece of a stream with text in it. */
  readonly firstToken: number | undefined;
}

/** The parts of an answer, or of one event of a stream, that are read. */
interface Answer {
  readonly choices?: readonly {
    readonly text?: string;
    readonly delta?: { readonly content?: string };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly completion_tokens?: number } | null;
  readonly error?: { readonly message?: string };
}

/** What of an answer is judged. */
interface Seen {
  tokens: number | undefined;
  reason: string | undefined;
  firstToken: number | undefined;
}

/** A failure that has its own words. */
class Failure extends Error {}

/** @throws where the path is none of OpenAI's two */
export function bodyOf({ url, model, prompt, tokens, stream }: Question): string {
  const { pathname, protocol } = new URL(url);
  if (protocol !== 'http:') throw new Error(`the URL is ${url}: only http:// is known`);
  const chat = pathname.endsWith('/chat/completions');
  if (!chat && !pathname.endsWith('/completions')) {
    throw new Error(`the URL is ${url}: its path must end in /chat/completions or /completions`);
  }
  return JSON.stringify({
    model,
    ...(chat ? { messages: [{ role: 'user', content: prompt }] } : { prompt }),
    max_tokens: tokens,
    ignore_eos: true,
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  });
}

/**
 * Asks once. It fails by an error of the connection, a status of 400 or more, a stream that ends without `[DONE]` or has
 * an error in it, a number of tokens other than the one asked for, and the timeout. It never throws.
 */
export async function ask(question: Question, body: string, agent: Agent): Promise<Outcome> {
  const start = performance.now();
  const seen: Seen = { tokens: undefined, reason: undefined, firstToken: undefined };
  const signal = AbortSignal.timeout(question.timeout);
  let failure: string | undefined;
  try {
    const response = await send(question.url, body, { agent, signal });
    if ((response.statusCode ?? 0) >= 400) {
      response.resume();
      throw new Failure(`status ${response.statusCode}`);
    }
    if (question.stream) await readStream(response, seen, start);
    else see(parse(await textOf(response)), seen);
    if (seen.tokens !== question.tokens) {
      const reason = seen.reason === undefined ? '' : `, ended by ${seen.reason}`;
      throw new Failure(`${seen.tokens ?? 'an unknown number'} of ${question.tokens} tokens${reason}`);
    }
  } catch (error) {
    failure = signal.aborted ? `no complete answer in ${question.timeout / 1_000} s` : causeOf(error as Error);
  }
  return { failure, tokens: seen.tokens ?? 0, latency: performance.now() - start, firstToken: seen.firstToken };
}

function send(url: string, body: string, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const asked = request(url, { ...options, method: 'POST', headers }, resolve);
    asked.once('error', (error: NodeJS.ErrnoException) => {
      // The server may close a kept connection at the moment at which it is used again.
      const kept = asked.reusedSocket ? ' on a kept connection' : '';
      reject(new Failure(`${error.code ?? error.message}${kept}`));
    });
    asked.end(body);
  });
}

async function readStream(response: IncomingMessage, seen: Seen, start: number): Promise<void> {
  let done = false;
  try {
    for await (const data of events(response)) {
      if (data === '[DONE]') {
        done = true;
        continue;
      }
      const answer = parse(data);
      const [choice] = answer.choices ?? [];
      if ((choice?.text ?? choice?.delta?.content ?? '') !== '') seen.firstToken ??= performance.now() - start;
      see(answer, seen);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`cut stream: ${causeOf(error as Error)}`, { cause: error });
  }
  if (!done) throw new Failure('cut stream: it ended without [DONE]');
}

function see(answer: Answer, seen: Seen): void {
  if (answer.error !== undefined) throw new Failure(`error in the answer: ${answer.error.message ?? ''}`);
  seen.tokens = answer.usage?.completion_tokens ?? seen.tokens;
  seen.reason = answer.choices?.[0]?.finish_reason ?? seen.reason;
}

function parse(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new Failure('an answer that is no JSON');
  }
}

const causeOf = (error: NodeJS.ErrnoException): string =>
  error instanceof Failure ? error.message : (error.code ?? error.message);
