import { GROUP, VERSION } from '../../constructs/schema/kind.ts';
import type { CommonStatus } from '../../operator/engine/api/index.ts';
import type { KubeClient, KubeObject } from '../../operator/kube/index.ts';
import { TYPES } from '../../operator/kube/index.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import type { Candidate, Completion } from './candidates.ts';

/** How long a person at a prompt waits for the API server. */
const PATIENCE_MS = 3_000;

/** What fits of what is in the cluster; nothing where that can't be told. */
export async function found({ what, options }: NonNullable<Completion['lookup']>): Promise<readonly Candidate[]> {
  try {
    return await withClient(settingsOf(options), (client) => LOOKUPS[what](client, options));
  } catch {
    return [];
  }
}

const CALL = { deadlineMs: PATIENCE_MS, retry: false } as const;

const LOOKUPS = {
  namespaces: async (client: KubeClient) => {
    const { items } = await client.list(TYPES.namespace, CALL);
    return items.map(({ metadata }) => ({ value: metadata.name, description: '' }));
  },
  // Which kinds there are, the API server says: to load all that is known of them would take longer than to ask.
  resources: async (client: KubeClient, options: Readonly<Record<string, string>>) => {
    const namespace = await namespaceOf(options);
    const { resources } = (await client.raw('GET', `/apis/${GROUP}/${VERSION}`, CALL)) as ResourceList;
    const lists = await Promise.all(
      resources
        .filter(({ name }) => !name.includes('/'))
        .map(async ({ name: plural, kind }) => {
          const { items } = await client.list({ group: GROUP, version: VERSION, kind, plural }, { namespace, ...CALL });
          return items.flatMap((item) => candidatesOf(kind, item));
        }),
    );
    return lists.flat();
  },
} as const;

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string }[];
}

/** A resource by its name alone, and after its kind. */
function candidatesOf(
  kind: string,
  { metadata, status }: KubeObject & { readonly status?: CommonStatus },
): readonly Candidate[] {
  const description = `${kind} ${status?.phase ?? ''}`.trim();
  return [metadata.name, `${kind.toLowerCase()}/${metadata.name}`].map((value) => ({ value, description }));
}
