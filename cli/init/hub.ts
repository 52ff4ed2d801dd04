import { Agent, fetch, ProxyAgent, type Dispatcher, type Response } from 'undici';
import { parseProxy, PROXY_VARIABLES, type HuggingFaceUri } from '../../constructs/parts/weights/index.ts';
import { isExempt } from '../../fetcher/no-proxy.ts';
import { describe } from '../errors.ts';
import { hubModelOf, type HubModel } from './hub-answer.ts';

/** How long the Hub has to answer everything. */
const DEADLINE_MS = 8000;

/** The most of an answer that is read, in bytes. */
const ANSWER_BYTES = 8 * 1024 * 1024;

/** What the Hub says of a model; or why it says nothing. */
export type HubAnswer = HubModel | { readonly problem: string };

/** Asks the Hub, or the mirror that HF_ENDPOINT names, for the config and the files of a model. It asks nothing else. */
export async function askHub(
  uri: HuggingFaceUri,
  env: NodeJS.ProcessEnv = process.env,
  deadlineMs = DEADLINE_MS,
): Promise<HubAnswer> {
  const endpoint = (env['HF_ENDPOINT'] ?? 'https://huggingface.co').replace(/\/$/, '');
  const token = env['HF_TOKEN']?.trim();
  const signal = AbortSignal.timeout(deadlineMs);
  const repository = `${uri.owner}/${uri.model}`;
  const revision = encodeURIComponent(uri.revision);
  const get = async (path: string, dispatcher: Dispatcher): Promise<unknown> => {
    const headers = { 'user-agent': 'trunnion', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const response = await fetch(endpoint + path, { headers, signal, dispatcher });
    if (!response.ok) throw new Error(refusal(repository, response, token !== undefined));
    return JSON.parse(await bounded(response)) as unknown;
  };
  let dispatcher: Dispatcher | undefined;
  try {
    dispatcher = dispatcherOf(new URL(endpoint), env);
    const model = await get(`/api/models/${repository}/revision/${revision}?blobs=true`, dispatcher);
    return hubModelOf(model, await get(`/${repository}/resolve/${revision}/config.json`, dispatcher), endpoint);
  } catch (error) {
    const late = signal.aborted ? `no answer in ${deadlineMs / 1000} s` : describe(error);
    return { problem: `${endpoint} was asked for hf://${repository}@${uri.revision}: ${late}` };
  } finally {
    await dispatcher?.destroy();
  }
}

function refusal(repository: string, { status, headers }: Response, hasToken: boolean): string {
  if (headers.get('x-error-code') === 'GatedRepo' || status === 403) {
    return `${repository} is gated: accept its terms on its page, and set HF_TOKEN to a token of that account`;
  }
  if (status === 401) {
    return `${repository} does not exist or is private: ${hasToken ? 'HF_TOKEN may not read it' : 'set HF_TOKEN to a token that may read it'}`;
  }
  return status === 404 ? `it has no such model, no such revision, or no config.json in it` : `it answered ${status}`;
}

async function bounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    parts.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    if (bytes > ANSWER_BYTES) throw new Error(`it answered with more than ${ANSWER_BYTES} bytes`);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Through the proxy that the environment names for the host, as the fetch of weights goes. */
function dispatcherOf({ protocol, hostname, port }: URL, env: NodeJS.ProcessEnv): Dispatcher {
  const scheme = protocol === 'http:' ? 'http' : 'https';
  const proxy = PROXY_VARIABLES.filter((name) => name.toLowerCase() === `${scheme}_proxy` || /^all_proxy$/i.test(name))
    .map((name) => env[name]?.trim() ?? '')
    .find((text) => text !== '');
  const at = Number(port || (scheme === 'http' ? 80 : 443));
  if (proxy === undefined || isExempt(env['no_proxy'] ?? env['NO_PROXY'] ?? '', hostname, at)) return new Agent();
  const parsed = parseProxy(proxy);
  if (parsed === undefined) throw new Error('the variable of its proxy names no HTTP proxy');
  return new ProxyAgent(parsed.url);
}
