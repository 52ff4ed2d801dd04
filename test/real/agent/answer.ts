import OpenAI from 'openai';
import { askTools, type Said, type Server } from './tools.ts';

/** What the agent tells who asked it. */
export interface Answer {
  readonly answer: string;
  /** The model that it asked, by the name that the answer has. */
  readonly model: string;
  readonly tokens: number;
  readonly tools: readonly Said[];
}

const { MODEL_NAME = '', MAX_TOKENS = '16', TEMPERATURE, TOOLS = '', MCP_SERVERS = '[]' } = process.env;
const servers = JSON.parse(MCP_SERVERS) as readonly Server[];

/** Asks the tools, and then the model, to which it gives what they said. OpenAI's client finds its server by itself. */
export async function answer(question: string): Promise<Answer> {
  const said = (await Promise.all(servers.map((server) => askTools(server, TOOLS.split(','), question)))).flat();
  const completion = await new OpenAI().chat.completions.create({
    model: MODEL_NAME,
    max_tokens: Number(MAX_TOKENS),
    ...(TEMPERATURE !== undefined && { temperature: Number(TEMPERATURE) }),
    messages: [
      { role: 'system', content: said.map(({ text }) => text).join('\n') },
      { role: 'user', content: question },
    ],
  });
  return {
    answer: completion.choices[0]?.message.content ?? '',
    model: completion.model,
    tokens: completion.usage?.completion_tokens ?? 0,
    tools: said,
  };
}
