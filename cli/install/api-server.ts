import type { V1EndpointSlice } from '@kubernetes/client-node';
import type { KubeClient } from '../../operator/kube/index.ts';
import { TYPES } from '../../operator/kube/index.ts';
import type { SettingsInput } from '../../stacks/operator/settings.ts';

/** Ports that the operator's NetworkPolicy opens in any case. */
const USUAL: ReadonlySet<number> = new Set([443, 6443]);

/**
 * The settings, with the port on which the API server itself listens, where that is an unusual one and nobody has said it:
 * a NetworkPolicy sees a packet where it arrives, and not the port of the Service `kubernetes`. What can't be found out
 * stays as it is.
 */
export async function withApiServerPort(
  client: Pick<KubeClient, 'list'>,
  settings: SettingsInput,
): Promise<SettingsInput> {
  const isStated = settings.apiServer?.port !== undefined || settings.networkPolicy?.egress !== undefined;
  if (isStated) return settings;
  const port = (await portsOf(client)).find((each) => !USUAL.has(each));
  return port === undefined ? settings : { ...settings, apiServer: { port } };
}

async function portsOf(client: Pick<KubeClient, 'list'>): Promise<readonly number[]> {
  try {
    const { items } = await client.list(TYPES.endpointSlice, {
      namespace: 'default',
      labelSelector: 'kubernetes.io/service-name=kubernetes',
    });
    return items
      .flatMap((item) => (item as Pick<V1EndpointSlice, 'ports'>).ports ?? [])
      .flatMap(({ port }) => port ?? []);
  } catch {
    // Anyone who may install may not be let look there.
    return [];
  }
}
