import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { Ask } from './api.ts';
import { LARGEST_BODY, tooLarge } from './gate.ts';
import { checked } from './query.ts';
import { RequestError } from './request-error.ts';

/** Most messages of a conversation. */
const MOST_MESSAGES = 1_000;

const ASK = z.strictObject({
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
export async function readAsk(request: IncomingMessage): Promise<Ask> {
  const ask = askIn(await readText(request));
  checked(ask, '');
  if (ask.messages.at(-1)?.role !== 'user') {
    throw new RequestError(400, 'messages: the last one must have the role user');
  }
  return ask;
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

function askIn(text: string): Ask {
  const { success, data, error } = ASK.safeParse(jsonIn(text));
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
