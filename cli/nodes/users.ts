import { TRUNNION } from '../../operator/trunnion.ts';
import type { V1Pod } from '@kubernetes/client-node';
import type { KubeObject } from '../../operator/kube/index.ts';
import { requested } from './needs.ts';

type Pod = KubeObject & Pick<V1Pod, 'spec' | 'status'>;

/** So many are named; what the others hold is counted. */
const MOST_NAMED = 5;

/** Who holds a device on nodes, the most first: a sentence; undefined where nobody does. */
export function usersOf(device: string, pods: readonly KubeObject[]): string | undefined {
  const held = new Map<string, number>();
  for (const pod of pods as readonly Pod[]) {
    const { phase } = pod.status ?? {};
    const count = phase === 'Succeeded' || phase === 'Failed' ? 0 : requested(pod.spec, device);
    const who = userOf(pod);
    if (count > 0) held.set(who, (held.get(who) ?? 0) + count);
  }
  const users = [...held].toSorted(([, a], [, b]) => b - a);
  if (users.length === 0) return undefined;
  const named = users.slice(0, MOST_NAMED).map(([who, count]) => `${who} ${count}`);
  const rest = users.slice(MOST_NAMED).reduce((sum, [, count]) => sum + count, 0);
  return `${device} in use: ${named.join(', ')}${rest > 0 ? `, others ${rest}` : ''}`;
}

/** The resource that a pod is of, or the pod itself. */
function userOf({ metadata: { namespace = '', name, labels = {} } }: KubeObject): string {
  const instance = labels[TRUNNION.labels.name];
  return `${namespace}/${labels[TRUNNION.labels.operator] === TRUNNION.partOf && instance !== undefined ? instance : name}`;
}
