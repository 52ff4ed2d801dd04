import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';

/** The object that the answer to a write is about, where it says so. */
export interface Written {
  readonly name?: string;
  /** What its name was made of, where the server chose the rest. */
  readonly generateName?: string;
  readonly uid?: string;
  /** After the write; absent where the object is gone by it. */
  readonly version?: string;
}

interface Answer {
  readonly metadata?: {
    readonly name?: string;
    readonly generateName?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
  };
}

/** The whole body. */
export async function collect(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The answer's headers, but for those that are about one hop or about a body that is sent again. */
function withoutHopHeaders(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const kept = { ...headers };
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-length']) delete kept[name];
  return kept;
}

/** What the answer to a write says of its object. */
export function writtenIn(body: Buffer): Written {
  try {
    const { metadata = {} } = JSON.parse(body.toString()) as Answer;
    const { name, generateName, uid, resourceVersion, deletionTimestamp, finalizers = [] } = metadata;
    const isGone = deletionTimestamp !== undefined && finalizers.length === 0;
    return {
      ...(name !== undefined && { name }),
      ...(generateName !== undefined && { generateName }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && !isGone && { version: resourceVersion }),
    };
  } catch {
    return {};
  }
}

/** Encodings that frames can't be told apart in. Each client that asks for one takes JSON as well. */
const BINARY: ReadonlySet<string> = new Set(['application/vnd.kubernetes.protobuf', 'application/cbor']);

/** An Accept header that asks for JSON where it asked for what only a client of that type can read. */
export function readableOnly(accept: string): string {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const kept = parameters.filter((parameter) => parameter !== 'type=watch' && !parameter.startsWith('stream='));
    return BINARY.has(type) ? ['application/json', ...kept].join(';') : range.trim();
  });
  return [...new Set(ranges)].join(',');
}

/** In which form objects are asked for: whole, or their metadata alone. */
const formOf = (accept: string): string => /;\s*as=(\w+)/.exec(accept)?.[1] ?? '';

/** Watches and lists of the same path, selection and form tell the same history. */
export const streamOf = ({ path, query }: Exchange, accept = ''): string =>
  [path, query.get('labelSelector') ?? '', query.get('fieldSelector') ?? '', formOf(accept)].join(' ');

/** The same watch, from where the past ends. */
export function resumed({ path, query }: Exchange, { version }: { readonly version: string }): string {
  const from = new URLSearchParams(query);
  from.delete('sendInitialEvents');
  from.delete('resourceVersionMatch');
  from.set('resourceVersion', version);
  return `${path}?${from.toString()}`;
}

/** Whether the answer continues as long as somebody reads, though it is not a watch. */
export const isEndless = ({ subresource }: Exchange): boolean => subresource === 'log' || subresource === 'proxy';

/** Sends the head of an answer. */
export function startAnswer(answer: IncomingMessage, res: ServerResponse): void {
  res.writeHead(answer.statusCode ?? 502, withoutHopHeaders(answer.headers));
  res.flushHeaders();
}

/** Breaks a connection off on which nothing is said any more; left out: never. */
export function endAfter(milliseconds: number | undefined, res: ServerResponse): void {
  if (milliseconds !== undefined) setTimeout(() => res.socket?.destroy(), milliseconds).unref();
}
