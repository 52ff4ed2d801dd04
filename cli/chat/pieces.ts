import type { IncomingMessage } from 'node:http';
import { CliError } from '../errors.ts';
import { events } from './events.ts';
import { type Complaint, objectIn, wholeText, wordsOf } from './http.ts';

/** A piece of an answer. */
export interface Piece {
  /** What the model answers. */
  readonly text?: string;
  /** What it thinks before it answers, where the engine tells that apart. */
  readonly thought?: string;
  /** Why it ends: `stop`, or `length` where it may write no more. */
  readonly ending?: string;
  /** How many tokens the server has counted, thoughts included. */
  readonly tokens?: number;
}

/** The parts that are read of OpenAI's answers. */
interface Choice {
  /** Of a stream of chat; `reasoning` is vLLM's name from 0.11 on, `reasoning_content` SGLang's. */
  readonly delta?: Message;
  /** Of chat at once. */
  readonly message?: Message;
  /** Of a continued text. */
  readonly text?: string | null;
  readonly finish_reason?: string | null;
}

interface Message {
  readonly content?: string | null;
  readonly reasoning?: string | null;
  readonly reasoning_content?: string | null;
}

interface Chunk {
  readonly choices?: readonly Choice[];
  readonly usage?: { readonly completion_tokens?: number } | null;
  readonly error?: Complaint | null;
}

/**
 * The pieces of an answer in OpenAI's form, as they come; one of them where the server sends no stream.
 *
 * @throws CliError where it breaks off, where the server complains, and where it is of another form
 */
export async function* piecesOf(response: IncomingMessage): AsyncGenerator<Piece> {
  if (isStream(response)) return yield* streamed(response);
  const text = await wholeText(response);
  const chunk = chunkIn(text);
  if (chunk.choices?.[0] === undefined) throw otherForm(text);
  yield pieceOf(chunk);
}

async function* streamed(response: IncomingMessage): AsyncGenerator<Piece> {
  for await (const data of events(response)) {
    if (data === '[DONE]') return;
    yield pieceOf(chunkIn(data));
  }
  throw new CliError('the answer broke off: the server ended it without [DONE]');
}

/** Servers of plain text and of JSON say so; what says nothing is taken for a stream. */
const isStream = ({ headers }: IncomingMessage): boolean =>
  /^\s*(?:text\/event-stream\b|$)/i.test(headers['content-type'] ?? '');

function chunkIn(text: string): Chunk {
  const chunk = objectIn(text) as Chunk | undefined;
  if (chunk === undefined) throw otherForm(text);
  if (chunk.error !== undefined && chunk.error !== null) throw new CliError(`the server says: ${wordsOf(chunk.error)}`);
  return chunk;
}

/** An agent may have an HTTP of its own. */
const otherForm = (text: string): CliError =>
  new CliError(
    `the server's answer does not have the form of OpenAI's HTTP: ${wordsOf(text.slice(0, 200))}; for one of its own, say --path and --field`,
  );

function pieceOf({ choices, usage }: Chunk): Piece {
  const [choice] = Array.isArray(choices) ? (choices as readonly Choice[]) : [];
  const message = choice?.delta ?? choice?.message;
  return withoutAbsent({
    text: stringOf(message?.content ?? choice?.text),
    thought: stringOf(message?.reasoning ?? message?.reasoning_content),
    ending: stringOf(choice?.finish_reason),
    tokens: typeof usage?.completion_tokens === 'number' ? usage.completion_tokens : undefined,
  });
}

const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const withoutAbsent = (piece: { readonly [name in keyof Piece]: Piece[name] | undefined }): Piece =>
  Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== undefined));
