import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

/** One server of MCP_SERVERS. */
export interface Server {
  readonly name: string;
  readonly url: string;
}

/** What a tool said. */
export interface Said {
  readonly server: string;
  readonly tool: string;
  readonly text: string;
}

/** Asks every tool of a server that the agent may use. */
export async function askTools({ name, url }: Server, allowed: readonly string[], question: string): Promise<Said[]> {
  const headers = { Authorization: `Bearer ${process.env['TICKETS_TOKEN'] ?? ''}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: 'support-agent', version: '1.0.0' });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const said: Said[] = [];
    for (const tool of tools.filter((each) => allowed.includes(each.name))) {
      const result = await client.callTool({ name: tool.name, arguments: { question } }, CallToolResultSchema);
      const { content } = CallToolResultSchema.parse(result);
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      said.push({ server: name, tool: tool.name, text });
    }
    return said;
  } finally {
    await client.close();
  }
}
