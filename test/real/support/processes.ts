import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import type { ObjectRef } from '../../../operator/kube/client/options.ts';

/** Of a pod, as far as its containers are looked for. */
interface Pod extends KubeObject {
  readonly status?: {
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

interface ContainerStatus {
  readonly name: string;
  /** `containerd://` and 64 digits of hex. */
  readonly containerID?: string;
}

/**
 * The processes of a container of a pod on the real node, by their ids on this machine, the oldest first: that is the one
 * which the container was started for.
 *
 * @param container - init containers as well
 * @throws where it does not run now
 */
export async function processesOf(client: KubeClient, pod: ObjectRef, container: string): Promise<readonly number[]> {
  const { status } = (await client.get(TYPES.pod, pod)) as Pod;
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const id = all.find(({ name }) => name === container)?.containerID?.split('://')[1];
  const found = id === undefined ? [] : processesIn(id);
  if (found.length > 0) return found;
  throw new Error(`container ${container} of pod ${pod.name} has no process now`);
}

/** The first process of a container. */
export async function mainProcess(client: KubeClient, pod: ObjectRef, container: string): Promise<number> {
  const [first = 0] = await processesOf(client, pod, container);
  return first;
}

/** Ends the first process of a container as `kill -9` on its node does; nobody can do that from within. */
export async function killContainer(
  client: KubeClient,
  pod: ObjectRef,
  container: string,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  process.kill(await mainProcess(client, pod, container), signal);
}

/**
 * Runs a program of this machine in the network of a container: there its ports are those of 127.0.0.1.
 *
 * @returns what it writes
 */
export async function runInNetworkOf(id: number, command: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('nsenter', [`--net=/proc/${id}/ns/net`, '--', ...command]);
  return stdout;
}

/** The kubelet names the cgroup of a container by its id. */
const processesIn = (containerId: string): readonly number[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && textOf(`/proc/${entry}/cgroup`).includes(containerId))
    .map((entry) => ({ id: Number(entry), started: startOf(entry) }))
    .toSorted((a, b) => a.started - b.started || a.id - b.id)
    .map(({ id }) => id);

/** Field 22 of proc_pid_stat(5); the second one, a name in parentheses, may have spaces. */
function startOf(entry: string): number {
  const text = textOf(`/proc/${entry}/stat`);
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19]);
}

/** Nothing of a process that has just ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
