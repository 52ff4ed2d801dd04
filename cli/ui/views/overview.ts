import type { Resource } from '../../../operator/engine/api/index.ts';
import type { KubeClient } from '../../../operator/kube/index.ts';
import { allKinds } from '../../kinds.ts';
import { notShown } from '../../kube/denied.ts';
import { operatorAbsence } from '../../leader/observe.ts';
import { liveResources, noResources } from '../../live.ts';
import { summaryOf } from '../../status/overview.ts';
import type { Overview, ResourceLine } from '../api.ts';
import { lineStateOf } from './state.ts';

/** What is asked of the cluster, and where its operator is. */
export interface Cluster {
  readonly client: KubeClient;
  readonly operatorNamespace: string;
}

/**
 * All resources, a line each. It lists them and looks at nothing that they own, so that a thousand cost a few requests.
 *
 * @param namespace - undefined for all of them
 */
export async function overviewOf(
  { client, operatorNamespace }: Cluster,
  namespace: string | undefined,
): Promise<Overview> {
  const [{ resources, denied }, absence] = await Promise.all([
    liveResources(client, allKinds, namespace),
    operatorAbsence(client, { operatorNamespace, now: Date.now() }),
  ]);
  return {
    resources: resources.map(({ resource }) => lineOf(resource)),
    notes: [
      ...notShown(denied),
      ...(absence === undefined ? [] : [absence]),
      ...(resources.length === 0 ? [noResources(namespace)] : []),
    ],
  };
}

/** A resource in a line. */
export const lineOf = (resource: Resource): ResourceLine => ({ ...summaryOf(resource), state: lineStateOf(resource) });
