import { EnvHttpProxyAgent, fetch, type Dispatcher, type Response } from 'undici';
import { parseProxy, PROXY_VARIABLES, type HuggingFaceUri } from '../../constructs/parts/weights/index.ts';
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
  const dispatcher = dispatcherOf(env);
  const signal = AbortSignal.timeout(deadlineMs);
  const repository = `${uri.owner}/${uri.model}`;
  const revision = encodeURIComponent(uri.revision);
  const get = async (path: string): Promise<unknown> => {
    const headers = { 'user-agent': 'trunnion', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const response = await fetch(endpoint + path, { headers, signal, dispatcher });
    if (!response.ok) throw new Error(refusal(repository, response, token !== undefined));
    return JSON.parse(await bounded(response)) as unknown;
  };
  try {
    const model = await get(`/api/models/${repository}/revision/${revision}?blobs=true`);
    return hubModelOf(model, await get(`/${repository}/resolve/${revision}/config.json`), endpoint);
  } catch (error) {
    const late = signal.aborted ? `no answer in ${deadlineMs / 1000} s` : describe(error);
    return { problem: `${endpoint} was asked for hf://${repository}@${uri.revision}: ${late}` };
  } finally {
    await dispatcher.destroy();
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

/** Through the proxy that the environment names, as the fetch of weights goes. */
function dispatcherOf(env: NodeJS.ProcessEnv): Dispatcher {
  const read = (scheme: 'http' | 'https'): string | undefined =>
    PROXY_VARIABLES.filter((name) => name.toLowerCase() === `${scheme}_proxy` || /^all_proxy$/i.test(name))
      .flatMap((name) => (env[name]?.trim() ? (parseProxy(env[name])?.url ?? []) : []))
      .at(0);
  const [httpProxy, httpsProxy] = [read('http'), read('https')];
  return new EnvHttpProxyAgent({
    // An empty text keeps it from looking at variables by itself, which it reads in another way.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  });
}
