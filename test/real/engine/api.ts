import { randomUUID } from 'node:crypto';
import type { FinishReason } from './metrics.ts';

/** What the light engine reads of a request for chat or for a completion; it ignores the rest. */
interface Body {
  readonly model?: string;
  readonly prompt?: unknown;
  readonly messages?: unknown;
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly ignore_eos?: boolean;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
}

/** An error in vLLM's form: vLLM 0.30.0, entrypoints/serve/exception_handling/error_response.py. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;

  constructor(status: number, type: string, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.type = type;
    this.param = param;
  }

  json(): object {
    return { error: { message: this.message, type: this.type, param: this.param, code: this.status } };
  }
}

/** A request that was understood. */
export interface Asked {
  readonly kind: 'chat' | 'completion';
  readonly promptTokens: number;
  readonly tokens: number;
  /** How it ends after these tokens. */
  readonly reason: 'stop' | 'length';
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

export interface Limits {
  readonly servedName: string;
  readonly maxModelLen: number;
  readonly eosAfter: number;
}

/** vLLM 0.30.0, entrypoints/openai/completion/protocol.py: `max_tokens: int | None = 16`. Chat has no default. */
const COMPLETION_TOKENS = 16;

/** @throws {ApiError} as vLLM: 404 for another model, 400 for what it can't read and for what is longer than the model's context */
export function read(kind: Asked['kind'], text: string, limits: Limits): Asked {
  const body = parse(text);
  if (body.model !== undefined && body.model !== '' && body.model !== limits.servedName) {
    throw new ApiError(404, 'NotFoundError', `The model \`${body.model}\` does not exist.`, 'model');
  }
  const prompt = kind === 'chat' ? body.messages : body.prompt;
  if (prompt === undefined || prompt === null) {
    throw bad(kind === 'chat' ? 'messages: Field required' : 'Either prompt or prompt_embeds must be provided');
  }
  const promptTokens = countTokens(prompt);
  const left = limits.maxModelLen - promptTokens;
  if (left <= 0) {
    throw bad(`Input length (${promptTokens}) exceeds model's maximum context length (${limits.maxModelLen}).`);
  }
  const asked = kind === 'chat' ? (body.max_completion_tokens ?? body.max_tokens) : body.max_tokens;
  const most = Math.min(left, asked ?? (kind === 'chat' ? left : COMPLETION_TOKENS));
  if (!Number.isInteger(most) || most < 1) throw bad(`max_tokens must be at least 1, got ${JSON.stringify(asked)}.`);
  const endsByItself = body.ignore_eos !== true && limits.eosAfter < most;
  return {
    kind,
    promptTokens,
    tokens: endsByItself ? limits.eosAfter : most,
    reason: endsByItself ? 'stop' : 'length',
    stream: body.stream === true,
    includeUsage: body.stream_options?.include_usage === true,
  };
}

const bad = (message: string): ApiError => new ApiError(400, 'BadRequestError', message);

function parse(text: string): Body {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw bad('the body is no JSON');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw bad('the body is no object');
  return body;
}

/** About the number of words; a tokenizer finds more. */
const countTokens = (prompt: unknown): number =>
  Math.max(1, (typeof prompt === 'string' ? prompt : JSON.stringify(prompt)).split(/\s+/).filter(Boolean).length);

/** Texts in OpenAI's form: those of a stream, and the whole answer. */
export class Answers {
  readonly #asked: Asked;
  readonly #common: { readonly id: string; readonly created: number; readonly model: string };

  constructor(asked: Asked, model: string, now: number) {
    this.#asked = asked;
    const id = `${asked.kind === 'chat' ? 'chatcmpl' : 'cmpl'}-${randomUUID().replaceAll('-', '')}`;
    this.#common = { id, created: Math.floor(now / 1_000), model };
  }

  /** Before the first token: chat begins with the role alone. */
  opening(): readonly object[] {
    if (this.#asked.kind === 'completion') return [];
    return [this.#chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }])];
  }

  /** A piece of a stream; the last one has the reason of the end. */
  piece(text: string, reason: FinishReason | null): object {
    const end = { finish_reason: reason, ...(reason === null ? {} : { stop_reason: null }) };
    const choice = this.#asked.kind === 'chat' ? { delta: { content: text } } : { text };
    return this.#chunk([{ index: 0, ...choice, ...end }]);
  }

  usage(made: number): object {
    return { ...this.#chunk([]), usage: this.#usage(made) };
  }

  whole(text: string, made: number, reason: FinishReason): object {
    const chat = this.#asked.kind === 'chat';
    const choice = chat ? { message: { role: 'assistant', content: text } } : { text };
    return {
      ...this.#common,
      object: chat ? 'chat.completion' : 'text_completion',
      choices: [{ index: 0, ...choice, logprobs: null, finish_reason: reason, stop_reason: null }],
      usage: this.#usage(made),
    };
  }

  #chunk(choices: readonly object[]): object {
    return {
      ...this.#common,
      object: this.#asked.kind === 'chat' ? 'chat.completion.chunk' : 'text_completion',
      choices,
    };
  }

  #usage(made: number): object {
    const { promptTokens } = this.#asked;
    return { prompt_tokens: promptTokens, completion_tokens: made, total_tokens: promptTokens + made };
  }
}
