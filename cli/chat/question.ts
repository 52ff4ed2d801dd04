import { CHAT_PATH, COMPLETIONS_PATH } from './target.ts';

/** What was said in a conversation. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** How an answer is asked for. */
export interface Question {
  /** The model, by the name that the server knows; absent where it may choose. */
  readonly model?: string | undefined;
  /** All that was said, the question last. */
  readonly messages: readonly Message[];
  /**
   * The most tokens of the answer.
   *
   * @default - as many as the server gives; 256 of a continued text
   */
  readonly maxTokens?: number | undefined;
  /** @default - the server's own */
  readonly temperature?: number | undefined;
}

/** The HTTP that a server speaks. */
export type Api =
  | { readonly form: 'chat'; readonly path: string }
  /** The text is continued: no model template says who says what. */
  | { readonly form: 'completions'; readonly path: string }
  /** One of its own: the prompt alone is sent, in a field of an object. */
  | { readonly form: 'own'; readonly path: string; readonly field: string };

/** OpenAI's chat. */
export const CHAT: Api = { form: 'chat', path: CHAT_PATH };

/** OpenAI's continuation of a text, for models that know no chat. */
export const COMPLETIONS: Api = { form: 'completions', path: COMPLETIONS_PATH };

/** The most tokens of a continued text where nobody says another number: vLLM's own default is 16, and most base models do not end. */
const CONTINUED_TOKENS = 256;

/** What is sent. */
export function bodyOf(api: Api, { model, messages, maxTokens, temperature }: Question): object {
  if (api.form === 'own') return { [api.field]: messages.at(-1)?.content ?? '' };
  const most = maxTokens ?? (api.form === 'completions' ? CONTINUED_TOKENS : undefined);
  return {
    ...(model !== undefined && { model }),
    ...(api.form === 'chat' ? { messages } : { prompt: messages.map(({ content }) => content).join('\n\n') }),
    ...(most !== undefined && { max_tokens: most }),
    ...(temperature !== undefined && { temperature }),
    stream: true,
    stream_options: { include_usage: true },
  };
}
