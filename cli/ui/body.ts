import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { ChatRequest } from './api.ts';
import { LARGEST_BODY, tooLarge } from './gate.ts';
import { checked } from './query.ts';
import { RequestError } from './request-error.ts';

/** Most messages of a conversation. */
const MOST_MESSAGES = 1_000;

const CHAT_REQUEST = z.strictObject({
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .min(1)
    .max(MOST_MESSAGES),
});

/**
 * Reads a question.
 *
 * @throws RequestError where it is too large, or not in its form
 */
export async function readChatRequest(request: IncomingMessage): Promise<ChatRequest> {
  const chat = requestIn(await readText(request));
  checked(chat);
  if (chat.messages.at(-1)?.role !== 'user') {
    throw new RequestError(400, 'messages: the last one must have the role user');
  }
  return chat;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LARGEST_BODY) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function requestIn(text: string): ChatRequest {
  const { success, data, error } = CHAT_REQUEST.safeParse(jsonIn(text));
  if (success) return data;
  const [issue] = error.issues;
  throw new RequestError(400, `${issue?.path.join('.') || 'the body'}: ${issue?.message}`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError(400, 'the body must be JSON');
  }
}
