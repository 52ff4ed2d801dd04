import { allKinds } from '../../operator/kinds/index.ts';
import type { KubeClient, ResourceType } from '../../operator/kube/index.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import { resourcesIn } from '../status/overview.ts';
import type { Candidate, Completion } from './candidates.ts';

const NAMESPACES: ResourceType = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' };

/** How long a person at a prompt waits. */
const PATIENCE_MS = 3_000;

/** What fits of what is in the cluster; nothing where that does not answer soon. */
export async function found({ what, options }: NonNullable<Completion['lookup']>): Promise<readonly Candidate[]> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const given = new Promise<readonly Candidate[]>((resolve) => {
    patience.addEventListener('abort', () => resolve([]), { once: true });
  });
  try {
    return await withClient(settingsOf(options), (client) => Promise.race([LOOKUPS[what](client, options), given]));
  } catch {
    return [];
  }
}

const LOOKUPS = {
  namespaces: async (client: KubeClient) => {
    const { items } = await client.list(NAMESPACES);
    return items.map(({ metadata }) => ({ value: metadata.name, description: '' }));
  },
  resources: async (client: KubeClient, options: Readonly<Record<string, string>>) => {
    const resources = await resourcesIn(client, allKinds, await namespaceOf(options));
    return resources.flatMap(({ kind, name, phase }) =>
      [name, `${kind.toLowerCase()}/${name}`].map((value) => ({ value, description: `${kind} ${phase}`.trim() })),
    );
  },
} as const;
