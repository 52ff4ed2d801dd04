/**
 * An operator as a beginner writes it, without a library: a gadget is a ConfigMap, whose name the server chooses and the
 * status remembers. It is wrong in these ways, and the campaign must find each:
 *
 * - it creates before it has remembered, so that one that is killed in between makes a second one;
 * - it remembers in memory which gadgets it has seen, so that what is deleted while it is away leaves its ConfigMap;
 * - it doesn't know that a watch may end with an error, so that it waits forever;
 * - it writes the status whenever it starts.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';

interface Gadget {
  readonly metadata: { readonly name: string; readonly uid: string; readonly generation: number };
  readonly spec: { readonly message: string };
  readonly status?: { readonly configMap?: string };
}

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
  ];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

const { clusters, users } = parse(readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8')) as Kubeconfig;
const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
const ca = Buffer.from(authority, 'base64');
const { token } = users[0].user;
const namespace = process.env['WATCH_NAMESPACE'] ?? 'default';
const gadgets = `/apis/test.trunnion.dev/v1/namespaces/${namespace}/gadgets`;
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;

type Answer = Readonly<Record<string, never>>;

function send(method: string, path: string, body?: object, contentType = 'application/json') {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': contentType };
    request(new URL(path, server), { method, headers, ca }, resolve)
      .on('error', reject)
      .end(body && JSON.stringify(body));
  });
}

async function ask<T = Answer>(method: string, path: string, body?: object, contentType?: string): Promise<T> {
  const answer = await send(method, path, body, contentType);
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  if ((answer.statusCode ?? 500) > 299) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as T;
}

const seen = new Map<string, string>();

async function reconcile({ metadata: { name, generation }, spec, status }: Gadget): Promise<void> {
  const data = { message: spec.message };
  let configMap = status?.configMap;
  if (configMap === undefined) {
    const made = await ask<{ metadata: { name: string } }>('POST', configMaps, {
      metadata: { generateName: `${name}-` },
      data,
    });
    configMap = made.metadata.name;
  } else await ask('PATCH', `${configMaps}/${configMap}`, { data }, 'application/merge-patch+json');
  seen.set(name, configMap);
  const conditions = [
    { type: 'Ready', status: 'True', observedGeneration: generation, lastTransitionTime: new Date() },
  ];
  await ask(
    'PATCH',
    `${gadgets}/${name}/status`,
    { status: { configMap, conditions } },
    'application/merge-patch+json',
  );
}

async function removed(name: string): Promise<void> {
  const configMap = seen.get(name);
  if (configMap !== undefined) await ask('DELETE', `${configMaps}/${configMap}`);
  seen.delete(name);
}

const generations = new Map<string, number>();

async function observed(gadget: Gadget): Promise<void> {
  const { name, generation } = gadget.metadata;
  if (generations.get(name) === generation) return;
  generations.set(name, generation);
  await reconcile(gadget);
}

const list = await ask<{ metadata: { resourceVersion: string }; items: Gadget[] }>('GET', gadgets);
for (const gadget of list.items) await observed(gadget);
const from = `resourceVersion=${list.metadata.resourceVersion}`;
for await (const text of createInterface({ input: await send('GET', `${gadgets}?watch=true&${from}`) })) {
  const { type, object } = JSON.parse(text) as { readonly type: string; readonly object: Gadget };
  if (type === 'DELETED') await removed(object.metadata.name);
  else if (type !== 'ERROR') await observed(object);
}
// Nothing is watched any more, and nobody is told.
setInterval(() => undefined, 60_000);
