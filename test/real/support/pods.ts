import type { Cluster } from '../../../cluster/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { LIGHT, programsImage } from '../images/programs.ts';

/** Pods start within seconds; a busy machine takes longer. */
const PATIENCE = { timeout: 120_000 };

/** What the level `restricted` of Pod Security wants of a pod. */
export const RESTRICTED_POD = {
  runAsUser: 1000,
  runAsNonRoot: true,
  fsGroup: 1000,
  seccompProfile: { type: 'RuntimeDefault' },
} as const;

/** The same of a container, and a root that it can't write to. */
export const RESTRICTED_CONTAINER = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
} as const;

interface Pod extends KubeObject {
  readonly status?: { readonly phase?: string };
}

/** Gives the node the image with the light engine and the load client. */
export async function loadLightImage(cluster: Cluster): Promise<void> {
  await cluster.loadImage(await programsImage(LIGHT));
}

/** Runs a program of the light image in a pod of the namespace `default`, and waits until it runs. */
export async function runPod(
  cluster: Cluster,
  client: KubeClient,
  name: string,
  command: readonly string[],
): Promise<void> {
  await loadLightImage(cluster);
  await client.create(TYPES.pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'main', image: LIGHT.name, command }] },
  });
  await eventually(async () => {
    const { status } = (await client.get(TYPES.pod, { namespace: 'default', name })) as Pod;
    if (status?.phase !== 'Running') throw new Error(`${name} is ${status?.phase}`);
  }, PATIENCE);
}

/** Waits until a Deployment has all of its replicas. */
export async function available(client: KubeClient, namespace: string, name: string, replicas: number): Promise<void> {
  await eventually(async () => {
    const { status } = (await client.get(TYPES.deployment, { namespace, name })) as KubeObject & {
      readonly status?: { readonly availableReplicas?: number };
    };
    if (status?.availableReplicas !== replicas) throw new Error(`${name} has ${status?.availableReplicas} replicas`);
  }, PATIENCE);
}

/** The log of a Job's pod, once it has ended, well or not. */
export async function logOfJob(client: KubeClient, namespace: string, name: string): Promise<string> {
  const pod = await eventually(async () => {
    const { items } = await client.list(TYPES.pod, { namespace, labelSelector: `job-name=${name}` });
    const ended = (items as readonly Pod[]).find(({ status }) => /Succeeded|Failed/.test(status?.phase ?? ''));
    if (ended === undefined) throw new Error(`the Job ${name} has not ended`);
    return ended;
  }, PATIENCE);
  return client.podLog(pod.metadata);
}
