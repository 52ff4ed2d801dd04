import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';

/** Names of users by their tokens: `{"TOKEN": "NAME"}`. */
const users = JSON.parse(process.env['USERS'] ?? '{}') as Readonly<Record<string, string>>;

/** The first one is the server's; the others are there to be found open. */
const ports = (process.env['PORTS'] ?? '8080').split(',').map(Number);

/** The tools, for one user. */
function toolsFor(user: string): McpServer {
  const server = new McpServer({ name: 'tickets', version: '1.0.0' });
  server.registerTool(
    'find_ticket',
    { description: 'Says how a ticket is doing.', inputSchema: { question: z.string() } },
    ({ question }) => ({ content: [{ type: 'text', text: `${user} may know: ticket 7 is open (${question})` }] }),
  );
  server.registerTool('close_tickets', { description: 'Closes all tickets.' }, () => ({
    content: [{ type: 'text', text: 'closed' }],
  }));
  return server;
}

/** Without sessions: each request has a server of its own. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const user = users[(request.headers.authorization ?? '').replace(/^Bearer /, '')];
  if (user === undefined || new URL(request.url ?? '/', 'http://mcp').pathname !== '/mcp') {
    response.writeHead(user === undefined ? 401 : 404).end();
    return;
  }
  const server = toolsFor(user);
  const transport = new StreamableHTTPServerTransport();
  response.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

const servers = ports.map((port) => createServer((...call) => void answer(...call)).listen(port));
process.once('SIGTERM', () => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});
