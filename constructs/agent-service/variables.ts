/** The variables of the agent's container that follow from the spec, and the field that each follows from. */
export const VARIABLES = {
  MODEL_NAME: 'model',
  TEMPERATURE: 'temperature',
  MAX_TOKENS: 'maxTokens',
  TOOLS: 'tools',
  MCP_SERVERS: 'mcpServers',
} as const;

/** Where the model of `modelRef` is asked: what the OpenAI clients of all languages read. */
export const BASE_URL_VARIABLE = 'OPENAI_BASE_URL';

/** OpenAI's clients do not start without it. */
export const API_KEY_VARIABLE = 'OPENAI_API_KEY';
