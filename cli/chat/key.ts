import type { EngineType } from '../../constructs/model-serving/engines.ts';
import { serverPatchOf } from '../../constructs/model-serving/server-container.ts';
import type { ModelServingSpec } from '../../constructs/model-serving/spec.ts';
import { ApiError, type KubeClient, TYPES } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';

/** Where the API key comes from that a server asks for. */
export type KeySource =
  | /** It asks for none, as far as the spec tells. */ { readonly from: 'none' }
  | { readonly from: 'value'; readonly value: string }
  | { readonly from: 'secret'; readonly secret: string; readonly key: string }
  | /** The spec says that there is one, and not what it is. */ { readonly from: 'elsewhere'; readonly at: string };

/**
 * The variable that each engine reads its key from: vLLM 0.32.0, envs.py; TGI 3.3.7, docs/source/reference/launcher.md. SGLang
 * 0.5.18 has none.
 */
const VARIABLES: Partial<Readonly<Record<EngineType, string>>> = { vllm: 'VLLM_API_KEY', tgi: 'API_KEY' };

/** The argument by which all three are told a key. It wins over the variable. */
const ARGUMENT = '--api-key';

/** Where the key of a server is, by the fields of its spec that give it one: arguments and variables of the engine. */
export function keySourceOf(spec: ModelServingSpec): KeySource {
  const { command = [], args = [], type } = spec.engine;
  const written = argumentOf([...command, ...args]);
  if (written !== undefined) {
    const [, variable] = /^\$\(([^()]+)\)$/.exec(written) ?? [];
    return variable === undefined ? literal(written, 'spec.engine.args') : variableOf(spec, variable);
  }
  const name = VARIABLES[type];
  return name === undefined ? { from: 'none' } : variableOf(spec, name);
}

/** The parsers of engines take `-` and `_` in a name as the same. */
function argumentOf(args: readonly string[]): string | undefined {
  for (const [at, argument] of args.entries()) {
    const [name = '', ...value] = argument.split('=');
    if (name.replaceAll('_', '-') === ARGUMENT) return value.length > 0 ? value.join('=') : args[at + 1];
  }
  return undefined;
}

function variableOf(spec: ModelServingSpec, name: string): KeySource {
  const all = [...(spec.env ?? []), ...(spec.engine.env ?? []), ...(serverPatchOf(spec)?.env ?? [])];
  const found = all.findLast((variable) => variable.name === name);
  if (found === undefined) return { from: 'none' };
  const { value, valueFrom } = found;
  const reference = valueFrom?.secretKeyRef;
  if (reference?.name !== undefined) return { from: 'secret', secret: reference.name, key: reference.key };
  return value === undefined
    ? { from: 'elsewhere', at: `the variable ${name}` }
    : literal(value, `the variable ${name}`);
}

/** Kubernetes puts variables in place of `$(NAME)`; which, only the pod knows. */
const literal = (value: string, at: string): KeySource =>
  value.includes('$(') ? { from: 'elsewhere', at } : { from: 'value', value };

/** The option by which a user gives a key. */
const BY_VARIABLE = 'put it in a variable, and name that with --api-key-env';

/** What to tell where a server refuses because the key is missing or wrong. */
export const KEY_ADVICE = `it asks for an API key, or for another one: ${BY_VARIABLE}`;

/**
 * The key, read with the rights of the user; undefined where none is needed.
 *
 * @throws CliError where it can't be read
 */
export async function readKey(
  client: Pick<KubeClient, 'get'>,
  {
    namespace,
    reference,
    key: source,
  }: { readonly namespace: string; readonly reference: string; readonly key: KeySource },
): Promise<string | undefined> {
  if (source.from === 'none') return undefined;
  if (source.from === 'value') return checked(source.value, `the key of ${reference}`);
  if (source.from === 'elsewhere') {
    throw new CliError(
      `${reference} asks for an API key, which is in ${source.at}, where it can not be read: ${BY_VARIABLE}`,
    );
  }
  const { secret, key } = source;
  const at = `the key ${key} of the Secret ${namespace}/${secret}`;
  const value = await valueOf(client, { namespace, name: secret }, key).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    throw new CliError(
      `${reference} asks for an API key, which is ${at}, and that can not be read (${error.message}): ${BY_VARIABLE}`,
    );
  });
  if (value === undefined) throw new CliError(`${reference} asks for an API key, and there is no such value: ${at}`);
  return checked(value, at);
}

async function valueOf(
  client: Pick<KubeClient, 'get'>,
  ref: { readonly namespace: string; readonly name: string },
  key: string,
): Promise<string | undefined> {
  const { data = {} } = (await client.get(TYPES.secret, ref)) as { readonly data?: Readonly<Record<string, string>> };
  const encoded = Object.hasOwn(data, key) ? data[key] : undefined;
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

/**
 * The key in a variable of this process.
 *
 * @throws CliError where it is not set
 */
export function keyFromEnvironment(name: string, env: NodeJS.ProcessEnv = process.env): string {
  const value = env[name];
  if (value === undefined || value === '')
    throw new CliError(`the variable ${name} of --api-key-env is not set: export ${name}=…`);
  return checked(value, `the variable ${name}`);
}

/** What a header can't have would be an error of Node's that names no key. */
function checked(value: string, at: string): string {
  if (/^[!-~]+$/.test(value)) return value;
  throw new CliError(
    `${at} can not be sent as an API key: it is empty, or has a space, a line break or another character that no header has`,
  );
}
