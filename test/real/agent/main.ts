import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { reachFor } from '../probe/reach.ts';
import { answer } from './answer.ts';

/** The port that every agent has. */
const PORT = 8_000;

/** One that is nobody's business: a person who debugs the agent asks there, from within its pod. */
const DEBUG_PORT = 9_000;

async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://agent');
  switch (`${request.method} ${pathname}`) {
    case 'GET /healthz':
      response.end('ok');
      return;
    case 'POST /ask': {
      const { question } = (await json(request)) as { readonly question: string };
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(await answer(question)));
      return;
    }
    case 'GET /reach':
      for await (const reached of reachFor(searchParams.getAll('to'), Number(searchParams.get('seconds') ?? 0))) {
        response.write(`${JSON.stringify({ at: Date.now(), ending, reached })}\n`);
      }
      response.end();
      return;
    default:
      response.writeHead(404).end();
  }
}

function answerTo(request: IncomingMessage, response: ServerResponse): void {
  route(request, response).catch((error: unknown) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(502);
    response.end(String(error));
  });
}

/** Whether it was told to end. */
let ending = false;
const servers = [PORT, DEBUG_PORT].map((port) => createServer(answerTo).listen(port));
// Runs that have begun end in their own time; the process ends with the last one.
process.once('SIGTERM', () => {
  ending = true;
  for (const server of servers) server.close();
});
