import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

/** An event of a stream. */
export const event = (data: unknown): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** A piece of a chat. */
export const piece = (content: string): string => event({ choices: [{ delta: { content } }] });

/** A whole stream. */
export const stream = (response: ServerResponse, ...texts: readonly string[]): unknown =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).end(texts.join(''));

/** A refusal, as vLLM writes it. */
export const refusal = (response: ServerResponse, status: number, message: string): unknown =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));

/** What a route answers. */
export type Route = (
  response: ServerResponse,
  body: Readonly<Record<string, unknown>>,
  request: IncomingMessage,
) => unknown;

/** An engine that answers by its paths, and 404 elsewhere. */
export const engineOf =
  (routes: Readonly<Record<string, Route>>): RequestListener =>
  (request, response) => {
    void (async () => {
      const route = routes[request.url ?? ''];
      const body = request.method === 'POST' ? ((await json(request)) as Record<string, unknown>) : {};
      if (route === undefined) response.writeHead(404).end('{"detail":"Not Found"}');
      else route(response, body, request);
    })();
  };

/** The models that an engine has. */
export const models =
  (...ids: readonly string[]): Route =>
  (response) =>
    response.end(JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) }));

/** An engine that repeats how many messages it got, and the last of them. */
export const ECHO = engineOf({
  '/v1/models': models('llama'),
  '/v1/chat/completions': (response, { messages }) => {
    const said = messages as readonly { readonly content: string }[];
    stream(
      response,
      event({ choices: [{ delta: { role: 'assistant', content: '' } }] }),
      piece(`${said.length}: `),
      piece(said.at(-1)?.content ?? ''),
      event({ choices: [{ delta: {}, finish_reason: 'stop' }] }),
      event({ choices: [], usage: { completion_tokens: 9 } }),
      event('[DONE]'),
    );
  },
});
