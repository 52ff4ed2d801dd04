import { uniqueVariables } from '../parts/objects/index.ts';
import type { EnvVar } from '../parts/objects/index.ts';
import { shortHash } from '../parts/weights/index.ts';
import type { Manifest } from '../workload.ts';
import { agentLabels } from './render-input.ts';
import type { RenderInput } from './render-input.ts';
import { AGENT } from './rules.ts';
import type { AgentServiceSpec } from './spec.ts';
import { API_KEY_VARIABLE, BASE_URL_VARIABLE } from './variables.ts';

/** On pods: a hash of their configuration. A ConfigMap that changes would not reach pods that run. */
export const CONFIG_ANNOTATION = 'trunnion.dev/config';

/** What a server that asks for no key is shown by convention, since OpenAI's clients must show something. */
const NO_KEY = 'EMPTY';

type Config = Readonly<Record<string, string>>;

/** What the agent is told, by variable. What the spec doesn't say is left out. */
export function configOf({ spec, model }: Pick<RenderInput, 'spec' | 'model'>): Config {
  const { temperature, maxTokens, tools, mcpServers } = spec;
  const modelName = model?.name ?? spec.model;
  return {
    ...(modelName !== undefined && { MODEL_NAME: modelName }),
    ...(temperature !== undefined && { TEMPERATURE: String(temperature) }),
    ...(maxTokens !== undefined && { MAX_TOKENS: String(maxTokens) }),
    ...(tools && { TOOLS: tools.join(',') }),
    ...(mcpServers && { MCP_SERVERS: JSON.stringify(mcpServers.map(({ name, url }) => ({ name, url }))) }),
    ...(model && { [BASE_URL_VARIABLE]: model.baseUrl }),
  };
}

/** A short hash that tells whether the configuration has changed. */
export const configHash = (config: Config): string =>
  shortHash(JSON.stringify(Object.entries(config).toSorted(([a], [b]) => (a < b ? -1 : 1))));

const configName = (name: string): string => `${name}-config`;

export const configMap = (input: RenderInput): Manifest => {
  const { name, namespace } = input;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: configName(name), namespace, labels: agentLabels(input) },
    data: configOf(input),
  };
};

/** The variables of the agent: its configuration, the user's, and credentials, which stay in their Secrets. */
export function environmentOf(input: RenderInput, home: readonly EnvVar[]): readonly EnvVar[] {
  const { name, spec, model } = input;
  const configured = Object.keys(configOf(input)).map((key) => ({
    name: key,
    valueFrom: { configMapKeyRef: { name: configName(name), key } },
  }));
  const credentials = (spec.credentials ?? []).map(({ env, secretName, key }) => ({
    name: env,
    valueFrom: { secretKeyRef: { name: secretName, key } },
  }));
  const needsKey = model !== undefined && !namesOf(spec).has(API_KEY_VARIABLE);
  const key = needsKey ? [{ name: API_KEY_VARIABLE, value: NO_KEY }] : [];
  return uniqueVariables([...home, ...configured, ...key, ...(spec.env ?? []), ...credentials]);
}

/** The variables that the user gives the agent, in whichever way. */
function namesOf({ env = [], credentials = [], podTemplate }: AgentServiceSpec): ReadonlySet<string> {
  const patched = (podTemplate?.spec?.containers ?? []).filter(({ name }) => name === AGENT);
  return new Set([
    ...[...env, ...patched.flatMap((container) => container.env ?? [])].map(({ name }) => name),
    ...credentials.map((credential) => credential.env),
  ]);
}
