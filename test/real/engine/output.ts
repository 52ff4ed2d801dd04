import type { ServerResponse } from 'node:http';
import type { Answers, Asked } from './api.ts';
import type { FinishReason } from './metrics.ts';

/** Takes the tokens of a request, and its end, to its client. */
export interface Output {
  token(count: number, last: boolean): void;
  end(reason: FinishReason): void;
}

/** Each token is a word of its own, so that the text tells how many there are. */
const word = (count: number): string => `${count === 1 ? '' : ' '}t${count}`;

/** Server-sent events: vLLM 0.30.0, completion_stream_generator and chat_completion_stream_generator. */
export class Streamed implements Output {
  readonly #response: ServerResponse;
  readonly #asked: Asked;
  readonly #answers: Answers;
  #made = 0;
  /** The last token comes with the reason of the end. */
  #held = '';

  constructor(response: ServerResponse, asked: Asked, answers: Answers) {
    this.#response = response;
    this.#asked = asked;
    this.#answers = answers;
    // Before the first token, as vLLM: the client sees the status while it waits.
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
  }

  token(count: number, last: boolean): void {
    if (count === 1) for (const event of this.#answers.opening()) this.#event(event);
    this.#made = count;
    if (last) this.#held = word(count);
    else this.#event(this.#answers.piece(word(count), null));
  }

  end(reason: FinishReason): void {
    this.#event(this.#answers.piece(this.#held, reason));
    if (this.#asked.includeUsage) this.#event(this.#answers.usage(this.#made));
    this.#response.end('data: [DONE]\n\n');
  }

  #event(event: object): void {
    this.#response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
}

export class Whole implements Output {
  readonly #response: ServerResponse;
  readonly #answers: Answers;
  #text = '';
  #made = 0;

  constructor(response: ServerResponse, answers: Answers) {
    this.#response = response;
    this.#answers = answers;
  }

  token(count: number): void {
    this.#made = count;
    this.#text += word(count);
  }

  end(reason: FinishReason): void {
    json(this.#response, 200, this.#answers.whole(this.#text, this.#made, reason));
  }
}

export function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
