import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { plainText } from '../../constructs/parts/values/index.ts';
import { CliError } from '../errors.ts';
import { events } from './events.ts';

/** What a model is asked. */
export interface Question {
  readonly prompt: string;
  /** The most tokens of an answer. */
  readonly maxTokens: number;
  /** Takes each piece of the answer as it comes, without control characters. */
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

/** How an answer came. */
export interface Figures {
  /** As the server counts them; without its count, one for each piece. */
  readonly tokens: number;
  /** From the question to the first piece of the answer. */
  readonly firstTokenSeconds: number;
  /** From the first piece to the last. */
  readonly streamSeconds: number;
}

/** The parts of a server's answers that are read. */
interface Answer {
  readonly data?: readonly { readonly id?: string }[];
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly usage?: { readonly completion_tokens?: number } | null;
  readonly error?: { readonly message?: string } | string;
}

/** Longest answer that is no stream, in bytes. */
const LONGEST_ANSWER = 2 ** 20;

/** Longest words of a server that are told. */
const LONGEST_WORDS = 1_000;

/**
 * Asks a server that speaks OpenAI's HTTP for a chat completion, and writes its answer while it comes.
 *
 * @param connect - makes a connection to the server; each is used once
 * @throws where the server has no such API, where it refuses, and where its answer breaks off
 */
export async function ask(connect: () => Promise<Duplex>, question: Question): Promise<Figures> {
  const model = await modelOf(connect, question.signal);
  const began = performance.now();
  const response = await send(connect, '/v1/chat/completions', question.signal, {
    model,
    messages: [{ role: 'user', content: question.prompt }],
    max_tokens: question.maxTokens,
    stream: true,
    stream_options: { include_usage: true },
  });
  let [pieces, counted, first, last] = [0, 0, began, began];
  let isWhole = false;
  for await (const data of events(response)) {
    if (data === '[DONE]') {
      isWhole = true;
      break;
    }
    const { choices = [], usage, error } = parse(data);
    if (error !== undefined) throw new CliError(`the server says: ${wordsOf(error)}`);
    const text = choices[0]?.delta?.content ?? '';
    counted = usage?.completion_tokens ?? counted;
    if (text === '') continue;
    last = performance.now();
    if (pieces === 0) first = last;
    pieces += 1;
    question.write(plainText(text, { lines: true }));
  }
  if (!isWhole) throw new CliError('the answer broke off: the server ended it without [DONE]');
  const tokens = counted || pieces;
  return { tokens, firstTokenSeconds: (first - began) / 1_000, streamSeconds: (last - first) / 1_000 };
}

/** How an answer came, in a line. A rate is told of what came after the first token. */
export function wordsOfFigures({ tokens, firstTokenSeconds, streamSeconds }: Figures): string {
  const count = `${tokens} ${tokens === 1 ? 'token' : 'tokens'}`;
  const start = `the first after ${firstTokenSeconds.toFixed(2)} s`;
  if (tokens < 2 || streamSeconds === 0) return `${count}, ${start}`;
  return `${count}, ${start}, then ${((tokens - 1) / streamSeconds).toFixed(1)} tokens a second`;
}

/** The first model that the server has: a ModelServing serves one. */
async function modelOf(connect: () => Promise<Duplex>, signal: AbortSignal): Promise<string> {
  const { data = [] } = parse(await shortText(await send(connect, '/v1/models', signal)));
  const id = data[0]?.id;
  if (id === undefined) throw new CliError('the server names no model at /v1/models');
  return id;
}

async function send(
  connect: () => Promise<Duplex>,
  path: string,
  signal: AbortSignal,
  body?: object,
): Promise<IncomingMessage> {
  const connection = await connect();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(
      {
        path,
        signal,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host: 'localhost', connection: 'close', 'content-type': 'application/json' },
        createConnection: () => connection,
      },
      resolve,
    );
    asked.once('error', reject);
    asked.end(body && JSON.stringify(body));
  });
  const { statusCode = 0 } = response;
  if (statusCode < 400) return response;
  const text = await shortText(response);
  const { error, message } = parseOr(text, {}) as { readonly error?: Answer['error']; readonly message?: string };
  const words = error === undefined ? plainText(message ?? text, { max: LONGEST_WORDS }) : wordsOf(error);
  throw new CliError(`the server answers ${path} with status ${statusCode}: ${words}`);
}

/** An answer that is no stream, as far as it is read. */
async function shortText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > LONGEST_ANSWER) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

const wordsOf = (error: NonNullable<Answer['error']>): string =>
  plainText(typeof error === 'string' ? error : (error.message ?? 'no words'), { max: LONGEST_WORDS });

function parse(text: string): Answer {
  const answer = parseOr(text, undefined);
  if (answer === undefined) throw new CliError('the server answers with what is not JSON');
  return answer;
}

function parseOr(text: string, otherwise: Answer | undefined): Answer | undefined {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return otherwise;
  }
}
