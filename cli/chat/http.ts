import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { plainText } from '../../constructs/parts/values/index.ts';
import { CliError } from '../errors.ts';
import { KEY_ADVICE } from './key.ts';

/** A server that speaks HTTP, behind connections that are made one by one. */
export interface Server {
  /** Makes a connection; each is used once. */
  readonly connect: (signal: AbortSignal) => Promise<Duplex>;
  /**
   * The API key that it asks for.
   *
   * @default - none
   */
  readonly key?: string | undefined;
  /** How long it may be silent. */
  readonly quietSeconds: number;
}

/** A server refused. */
export class RefusedError extends CliError {
  readonly status: number;
  /** What it said, as plain text. */
  readonly words: string;

  constructor(path: string, status: number, words: string) {
    const advice = status === 401 || status === 403 ? `; ${KEY_ADVICE}` : '';
    super(`the server answers ${path} with status ${status}: ${words === '' ? 'it says no more' : words}${advice}`);
    this.status = status;
    this.words = words;
  }
}

/** What a server says in place of an answer. */
export type Complaint = { readonly message?: unknown } | string;

/** Longest answer that is read at once, in bytes. */
const LONGEST_ANSWER = 2 ** 20;

/** Longest words of a server that are told. */
const LONGEST_WORDS = 1_000;

/**
 * Sends a request.
 *
 * @returns its answer, of which no more than the head is read
 * @throws RefusedError where the status is 400 or above
 */
export async function send(
  { connect, key }: Server,
  path: string,
  signal: AbortSignal,
  body?: object,
): Promise<IncomingMessage> {
  const connection = await connect(signal);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(
      {
        path,
        signal,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          host: 'localhost',
          connection: 'close',
          'content-type': 'application/json',
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        createConnection: () => connection,
      },
      resolve,
    );
    // It stays: what breaks later breaks the answer too, which its reader is told.
    asked.on('error', reject);
    asked.end(body && JSON.stringify(body));
  });
  const { statusCode = 0 } = response;
  if (statusCode < 400) return response;
  throw new RefusedError(path, statusCode, complaintIn(await wholeText(response)));
}

/** An answer that is no stream, as far as it is read. */
export async function wholeText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > LONGEST_ANSWER) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What a server complains of, as engines and frameworks write it: `error`, `message` or `detail`, else all of it. */
function complaintIn(text: string): string {
  const { error, message, detail } = objectIn(text) ?? {};
  if (error !== undefined && error !== null) return wordsOf(error);
  return wordsOf(typeof message === 'string' ? message : typeof detail === 'string' ? detail : text);
}

/** A complaint as plain text. */
export function wordsOf(complaint: Complaint): string {
  const words = typeof complaint === 'string' ? complaint : complaint.message;
  return plainText(typeof words === 'string' ? words.trim() : 'it gives no reason', { max: LONGEST_WORDS });
}

/** The object in a text; undefined where it has none. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
