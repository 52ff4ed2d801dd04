import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import type { ObjectRef } from '../../../operator/kube/client/options.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { VLLM } from '../../real/images/vllm.ts';
import { logOfJob, RESTRICTED_CONTAINER, RESTRICTED_POD } from '../../real/support/pods.ts';
import { mainProcess, runInNetworkOf } from '../../real/support/processes.ts';

/** What vLLM is started with so that it takes little time and memory. Its KV cache is half of the memory of its container. */
export const vllmSpec = {
  model: { uri: 'pvc://weights/first' },
  engine: {
    type: 'vllm',
    image: VLLM.name,
    args: ['--enforce-eager', '--max-model-len=32768', '--max-num-seqs=4', '--gpu-memory-utilization=0.5'],
    // A model of this size takes longer with several threads, and two servers would wait for each other's.
    env: [
      { name: 'OMP_NUM_THREADS', value: '1' },
      { name: 'VLLM_CPU_OMP_THREADS_BIND', value: 'nobind' },
    ],
  },
  resources: { gpu: 0, cpu: '500m', memory: '4Gi' },
  drain: { timeoutSeconds: 120 },
  replicas: 1,
} satisfies ModelServingSpecInput;

/** The volume `weights`, which all pods of a namespace can have at the same time. */
export async function claimWeights(client: KubeClient, namespace: string): Promise<void> {
  await client.create(TYPES.persistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'weights', namespace },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
  });
}

/** Runs a program of `test/real/vllm` in a pod with vLLM's image and the volume `weights`, and gives what it writes. */
export async function runPython(
  client: KubeClient,
  namespace: string,
  program: string,
  args: readonly string[],
): Promise<string> {
  const name = program.replace('.py', '');
  const container = {
    name: 'python',
    image: VLLM.name,
    command: ['python3', '-c', readFileSync(join(import.meta.dirname, '../vllm', program), 'utf8'), ...args],
    env: [{ name: 'HOME', value: '/tmp' }],
    securityContext: RESTRICTED_CONTAINER,
    volumeMounts: [
      { name: 'weights', mountPath: '/weights' },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
  const volumes = [
    { name: 'weights', persistentVolumeClaim: { claimName: 'weights' } },
    { name: 'tmp', emptyDir: {} },
  ];
  const spec = { restartPolicy: 'Never', securityContext: RESTRICTED_POD, containers: [container], volumes };
  await client.create(TYPES.job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace },
    spec: { backoffLimit: 0, template: { spec } },
  });
  return logOfJob(client, namespace, name);
}

/** A pod that serves, as far as tests look at it. */
export interface ServerPod extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime: string;
    }[];
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly state?: { readonly running?: { readonly startedAt: string } };
    }[];
  };
}

/** The pods of a ModelServing that nobody has deleted. */
export async function serverPods(client: KubeClient, namespace: string, name: string): Promise<readonly ServerPod[]> {
  const labelSelector = `app.kubernetes.io/component=server,app.kubernetes.io/instance=${name}`;
  const { items } = await client.list(TYPES.pod, { namespace, labelSelector });
  return (items as readonly ServerPod[]).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** What a server answers to those who ask from within its pod: to a GET, or to a POST where there is a body. */
export async function askPod(client: KubeClient, pod: ObjectRef, path: string, body?: object): Promise<string> {
  const init = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  };
  const answer = `await fetch('http://127.0.0.1:8000${path}', ${JSON.stringify(init)})`;
  const inPod = await mainProcess(client, pod, 'server');
  const script = `process.stdout.write(await (${answer}).text())`;
  return runInNetworkOf(inPod, [process.execPath, '--input-type=module', '-e', script]);
}

/** How a model continues a prompt: the same each time. */
export async function continuationOf(client: KubeClient, pod: ObjectRef, prompt: string): Promise<string> {
  const body = { model: 'tiny', prompt, temperature: 0, max_tokens: 20, ignore_eos: true };
  const { choices } = JSON.parse(await askPod(client, pod, '/v1/completions', body)) as {
    readonly choices: readonly { readonly text: string }[];
  };
  return choices[0]?.text ?? '';
}

/** Seconds of each phase of a pod's start, to the second, as Kubernetes tells them. */
export function phasesOf({ metadata, status }: ServerPod): Readonly<Record<string, number>> {
  const time = (text: string | undefined): number => Date.parse(text ?? '') / 1_000;
  const condition = (name: string): number =>
    time(status?.conditions?.find(({ type, status: is }) => type === name && is === 'True')?.lastTransitionTime);
  const created = time(metadata.creationTimestamp);
  const scheduled = condition('PodScheduled');
  const started = time(status?.containerStatuses?.[0]?.state?.running?.startedAt);
  return {
    scheduled: scheduled - created,
    containerStarted: started - scheduled,
    engineReady: condition('Ready') - started,
  };
}
