import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** The tokens that every answer here should have. */
export const TOKENS = 3;

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const piece = (text: string, reason: string | null = null) => ({ choices: [{ text, finish_reason: reason }] });
const usage = (tokens: number) => ({ choices: [], usage: { completion_tokens: tokens } });
const pieces = event(piece('a')) + event(piece('b'));
const whole = (tokens: number, reason = 'length') =>
  JSON.stringify({ choices: [{ text: 'a b c', finish_reason: reason }], usage: { completion_tokens: tokens } });

/** What the server does, by the first part of the path. */
const BEHAVIOURS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  good: (response) => response.end(whole(TOKENS)),
  'good-stream': (response) =>
    response.end(`${pieces}${event(piece('c', 'length'))}${event(usage(TOKENS))}data: [DONE]\n\n`),
  reset: (response) => response.destroy(),
  unavailable: (response) => response.writeHead(503).end('{}'),
  'wrong-tokens': (response) => response.end(whole(2, 'abort')),
  'no-json': (response) => response.end('<html>'),
  'cut-body': (response) => response.writeHead(200, { 'Content-Length': 1_000 }).write('{', () => response.destroy()),
  'cut-stream': (response) => response.write(pieces, () => response.destroy()),
  'no-done': (response) => response.end(`${pieces}${event(usage(TOKENS))}`),
  'error-event': (response) => response.end(`${event({ error: { message: 'engine dead' } })}data: [DONE]\n\n`),
  'aborted-stream': (response) => response.end(`${event(piece('', 'abort'))}${event(usage(1))}data: [DONE]\n\n`),
  silent: () => undefined,
  late: (response) => void setTimeout(() => response.end(whole(TOKENS)), 300),
};

/** A server that does wrong what it is asked to. */
export async function misbehaving(): Promise<{
  /** Where it behaves in a way. */
  readonly at: (behaviour: string) => string;
  readonly connections: () => number;
}> {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume();
    BEHAVIOURS[request.url?.split('/')[1] ?? '']?.(response);
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    at: (behaviour) => `http://127.0.0.1:${port}/${behaviour}/v1/completions`,
    connections: () => connections,
  };
}
