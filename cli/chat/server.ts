import { type KubeClient, type KubeObject, type ObjectRef, TYPES } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';

/** The part of a Service that is read. */
interface Service extends KubeObject {
  readonly spec?: {
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly { readonly port: number; readonly targetPort?: number | string }[];
  };
}

/** The part of a pod that is read. */
interface Pod extends KubeObject {
  readonly spec?: {
    readonly containers?: readonly {
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Where a pod of a Service listens. */
export interface Server {
  readonly pod: ObjectRef;
  readonly port: number;
}

/**
 * A pod of a Service that is ready, and the port on which the Service finds it.
 *
 * @throws where there is no such Service, and where none of its pods is ready
 */
export async function readyServer(client: KubeClient, namespace: string, name: string): Promise<Server> {
  const service = (await client.get(TYPES.service, { namespace, name })) as Service;
  const labelSelector = Object.entries(service.spec?.selector ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join();
  const [port] = service.spec?.ports ?? [];
  if (port === undefined) throw new CliError(`the Service ${namespace}/${name} has no port`);
  const { items } = await client.list(TYPES.pod, { namespace, labelSelector });
  const pod = (items as readonly Pod[]).find(isReady);
  if (pod === undefined) {
    throw new CliError(`no pod of ${namespace}/${name} is ready; trunnion status ${name} -n ${namespace} says why`);
  }
  return { pod: { namespace, name: pod.metadata.name }, port: portOf(pod, port.targetPort ?? port.port) };
}

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;

function portOf({ metadata, spec }: Pod, targetPort: number | string): number {
  if (typeof targetPort === 'number') return targetPort;
  const ports = spec?.containers?.flatMap((container) => container.ports ?? []) ?? [];
  const named = ports.find(({ name }) => name === targetPort);
  if (named === undefined) throw new CliError(`the pod ${metadata.name} has no port named ${targetPort}`);
  return named.containerPort;
}
