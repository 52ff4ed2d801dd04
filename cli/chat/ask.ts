import type { IncomingMessage } from 'node:http';
import { plainText } from '../../constructs/parts/values/index.ts';
import { CliError, describe } from '../errors.ts';
import type { Figures } from './figures.ts';
import { objectIn, send, type Server, wholeText } from './http.ts';
import { Patience } from './patience.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { bodyOf, type Api, type Question } from './question.ts';

/** An answer, and how it came. */
export interface Answer extends Figures {
  /** Without control characters. */
  readonly text: string;
  /** Whether the model thought before it answered. */
  readonly hasThought: boolean;
  /** Why it ended: `stop`, or `length` where it may write no more. */
  readonly ending?: string;
}

/** Who hears an answer while it comes. */
export interface Listener {
  /** Takes each piece, without control characters. */
  readonly write: (text: string) => void;
  /** Takes each piece of what a model thinks before it answers. */
  readonly think?: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The longest answer that is taken, in characters: a server that does not end must not fill the memory. */
const LONGEST_TEXT = 2 ** 24;

/** By these an engine says that it gave a request up: vLLM 0.32 both, SGLang 0.5 the first. */
const GIVEN_UP: ReadonlySet<string> = new Set(['abort', 'error']);

/**
 * Asks a server, and tells its answer while it comes.
 *
 * @throws where it refuses, where it is silent for too long, and where its answer breaks off
 */
export async function ask(server: Server, api: Api, question: Question, listener: Listener): Promise<Answer> {
  const patience = new Patience(listener.signal, server.quietSeconds);
  const hearing = new Hearing(listener, patience);
  try {
    const response = await send(server, api.path, patience.signal, bodyOf(api, question));
    patience.heard();
    const pieces = api.form === 'own' ? textsOf(response) : piecesOf(response);
    for await (const piece of pieces) hearing.hear(piece);
    return hearing.answer(api.form !== 'own');
  } catch (error) {
    // The signal has the reason; Node's error says only that it was aborted.
    if (patience.signal.aborted) throw patience.signal.reason;
    if (error instanceof CliError) throw error;
    const what = hearing.hasBegun ? 'the answer broke off' : 'there is no answer';
    throw new CliError(`${what}: the connection to the pod ended (${describe(error)}); trunnion status says how it is`);
  } finally {
    patience.stop();
  }
}

/** What comes from a server of which nothing is known: text as it comes, and JSON as it is. */
async function* textsOf(response: IncomingMessage): AsyncGenerator<Piece> {
  if (/\bjson\b/i.test(response.headers['content-type'] ?? '')) {
    const text = await wholeText(response);
    const value = objectIn(text);
    yield { text: value === undefined ? text : JSON.stringify(value, undefined, 2) };
    return;
  }
  response.setEncoding('utf8');
  for await (const chunk of response) yield { text: String(chunk) };
}

/** What has come of an answer so far. */
class Hearing {
  readonly #listener: Listener;
  readonly #patience: Patience;
  readonly #began = performance.now();
  readonly #texts: string[] = [];
  #length = 0;
  #pieces = 0;
  #first = this.#began;
  #last = this.#began;
  #hasThought = false;
  #counted: number | undefined;
  #ending: string | undefined;

  constructor(listener: Listener, patience: Patience) {
    this.#listener = listener;
    this.#patience = patience;
  }

  get hasBegun(): boolean {
    return this.#pieces > 0;
  }

  hear({ text, thought, ending, tokens }: Piece): void {
    this.#patience.heard();
    this.#counted = tokens ?? this.#counted;
    this.#ending = ending ?? this.#ending;
    if (text === undefined && thought === undefined) return;
    this.#last = performance.now();
    if (this.#pieces === 0) this.#first = this.#last;
    this.#pieces += 1;
    if (thought !== undefined) {
      this.#hasThought = true;
      this.#listener.think?.(plainText(thought, { lines: true }));
    }
    if (text === undefined) return;
    this.#length += text.length;
    if (this.#length > LONGEST_TEXT)
      throw new CliError('the answer is longer than 16 million characters: it was broken off');
    const plain = plainText(text, { lines: true });
    this.#texts.push(plain);
    this.#listener.write(plain);
  }

  /** @throws CliError where the server gave it up */
  answer(hasTokens: boolean): Answer {
    if (this.#ending !== undefined && GIVEN_UP.has(this.#ending)) {
      const what = `the answer broke off: the server ended it with "${this.#ending}"`;
      throw new CliError(`${what}; trunnion status says how it is`);
    }
    return {
      text: this.#texts.join(''),
      hasThought: this.#hasThought,
      ...(this.#ending !== undefined && { ending: plainText(this.#ending, { max: 40 }) }),
      ...(hasTokens && { tokens: this.#counted ?? this.#pieces }),
      firstTokenSeconds: (this.#first - this.#began) / 1_000,
      streamSeconds: (this.#last - this.#first) / 1_000,
    };
  }
}
