import type { Kind } from '../../operator/engine/kind.ts';
import { Discovery, type KubeClient, type KubeObject, type ResourceType } from '../../operator/kube/index.ts';

/** Types of objects that children make by themselves. */
const GRANDCHILD_TYPES: readonly ResourceType[] = [
  { group: 'apps', version: 'v1', kind: 'ReplicaSet', plural: 'replicasets' },
  { group: '', version: 'v1', kind: 'Pod', plural: 'pods' },
];

/** An object with those that it owns. */
export interface Branch {
  readonly name: string;
  readonly branches: readonly Branch[];
}

/** Reads all that a resource owns, directly or not. */
export async function readTree(client: KubeClient, kind: Kind, root: KubeObject): Promise<Branch> {
  const discovery = new Discovery(client);
  const objects: KubeObject[] = [];
  for (const type of [...kind.childTypes, ...GRANDCHILD_TYPES]) {
    if (!(await discovery.isServed(type))) continue;
    const { items } = await client.list(type, { namespace: root.metadata.namespace ?? '' });
    objects.push(...items.map((item) => ({ ...item, kind: type.kind })));
  }
  return branchOf(root, objects);
}

/** The part of a tree below one object, by owner references. */
function branchOf(object: KubeObject, all: readonly KubeObject[]): Branch {
  const owned = all.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid));
  return { name: `${object.kind} ${object.metadata.name}`, branches: owned.map((child) => branchOf(child, all)) };
}

/** A tree as lines. */
export function drawTree({ name, branches }: Branch): string[] {
  return [
    name,
    ...branches.flatMap((branch, index) => {
      const isLast = index === branches.length - 1;
      const [first = '', ...rest] = drawTree(branch);
      return [`${isLast ? '└─' : '├─'} ${first}`, ...rest.map((line) => `${isLast ? '  ' : '│ '} ${line}`)];
    }),
  ];
}
