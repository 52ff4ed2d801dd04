import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { mainProcess, runInNetworkOf } from './processes.ts';

/** A pod of a server. */
export interface ServerPod extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly namespace: string };
  readonly status: { readonly containerStatuses?: readonly { readonly restartCount: number }[] };
}

/** The pods of a model that are not being deleted. */
export async function serversOf(client: KubeClient, namespace: string, name: string): Promise<readonly ServerPod[]> {
  const labelSelector = `app.kubernetes.io/instance=${name},app.kubernetes.io/component=server`;
  const { items } = await client.list(TYPES.pod, { namespace, labelSelector });
  return (items as readonly ServerPod[]).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** The first pod of a model. */
export async function serverOf(client: KubeClient, namespace: string, name: string): Promise<ServerPod> {
  const [pod] = await serversOf(client, namespace, name);
  if (pod === undefined) throw new Error(`${name} has no pod`);
  return pod;
}

/** Orders the light engine of a pod to do what a test wants: see knobs.ts of the engine. */
export async function order(client: KubeClient, { metadata }: ServerPod, what: string): Promise<void> {
  const url = `http://127.0.0.1:8000/hidden/${what}`;
  const script = `await fetch(${JSON.stringify(url)}, { method: 'POST' }).catch(() => undefined)`;
  await runScript(client, metadata, script);
}

/** How many requests a pod has in flight, as its metrics tell. */
export async function requestsIn(client: KubeClient, { metadata }: ServerPod): Promise<number> {
  const script = "console.log(await (await fetch('http://127.0.0.1:8000/metrics')).text())";
  const line = (await runScript(client, metadata, script))
    .split('\n')
    .find((each) => each.startsWith('vllm:num_requests_running{'));
  return Number(line?.split(' ').at(-1));
}

async function runScript(client: KubeClient, pod: ServerPod['metadata'], script: string): Promise<string> {
  const id = await mainProcess(client, pod, 'server');
  return runInNetworkOf(id, [process.execPath, '--input-type=module', '-e', script]);
}
