import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { AGENT } from '../images/programs.ts';
import { logOfJob, RESTRICTED_CONTAINER, RESTRICTED_POD } from './pods.ts';

const PATIENCE = { timeout: 60_000 };

/** A pod that listens. */
export interface Listener {
  readonly name: string;
  readonly namespace: string;
  /** Behind the Service of its name, and beside that. */
  readonly port?: number;
  readonly otherPorts?: readonly number[];
  /** Who may ask it as an MCP server: names by tokens. */
  readonly users?: Readonly<Record<string, string>>;
  /** Whether it is in the network of its node, as root. */
  readonly onNode?: boolean;
}

interface Pod extends KubeObject {
  readonly status?: {
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/**
 * Starts an MCP server behind a Service.
 *
 * @returns the address of its pod
 */
export async function startListener(client: KubeClient, listener: Listener): Promise<string> {
  const { name, namespace, port = 8_080, otherPorts = [], users = {}, onNode = false } = listener;
  const labels = { app: name };
  const container = {
    name: 'listener',
    image: AGENT.name,
    command: ['tickets'],
    env: [
      { name: 'PORTS', value: [port, ...otherPorts].join() },
      { name: 'USERS', value: JSON.stringify(users) },
    ],
    readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
    ...(onNode ? { securityContext: { runAsUser: 0 } } : { securityContext: RESTRICTED_CONTAINER }),
  };
  const place = onNode ? { hostNetwork: true } : { securityContext: RESTRICTED_POD };
  await client.create(TYPES.pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels },
    spec: { ...place, containers: [container], terminationGracePeriodSeconds: 1 },
  });
  await client.create(TYPES.service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: labels, ports: [{ port }] },
  });
  return eventually(async () => {
    const { status } = (await client.get(TYPES.pod, { namespace, name })) as Pod;
    const ready = status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True');
    if (ready !== true || status?.podIP === undefined) throw new Error(`${namespace}/${name} is not ready`);
    return status.podIP;
  }, PATIENCE);
}

/**
 * Runs the program `probe` in a pod of its own.
 *
 * @returns what waits for its end, and tells what it printed
 */
export async function startProbe(
  client: KubeClient,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  args: readonly string[],
): Promise<() => Promise<string>> {
  const container = {
    name: 'probe',
    image: AGENT.name,
    command: ['probe', ...args],
    securityContext: RESTRICTED_CONTAINER,
  };
  const spec = { restartPolicy: 'Never', securityContext: RESTRICTED_POD, containers: [container] };
  await client.create(TYPES.job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace },
    spec: { backoffLimit: 0, template: { spec } },
  });
  return () => logOfJob(client, namespace, name);
}
