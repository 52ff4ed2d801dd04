import { TRUNNION } from '../../../operator/trunnion.ts';
import { ownerReference } from '../../../operator/engine/plan/index.ts';
import type { Kind, Resource } from '../../../operator/engine/api/index.ts';
import { childSelector, listAll } from '../../../operator/engine/observe/index.ts';
import { Discovery, type KubeClient, type KubeObject, type ResourceType } from '../../../operator/kube/index.ts';

/** An object, and where in it its owner is told. */
interface Owned {
  readonly type: ResourceType;
  readonly object: KubeObject;
  readonly index: number;
}

/** What a resource owns, of all types that its kind may make. */
export async function ownedBy(client: KubeClient, kind: Kind, owner: Resource): Promise<readonly Owned[]> {
  const { name, namespace = '', uid } = owner.metadata;
  const selector = `${childSelector(TRUNNION)},${TRUNNION.labels.name}=${name}`;
  const discovery = new Discovery(client);
  const found: Owned[] = [];
  for (const type of kind.childTypes) {
    if (type.optional === true && !(await discovery.isServed(type))) continue;
    for (const object of await listAll(client, type, namespace, selector)) {
      const index = (object.metadata.ownerReferences ?? []).findIndex((reference) => reference.uid === uid);
      if (index >= 0) found.push({ type, object, index });
    }
  }
  return found;
}

/** Gives an object another owner, if it is the very one that was seen, and changes nothing else of it. */
export async function giveTo(client: KubeClient, { type, object, index }: Owned, owner: Resource): Promise<void> {
  const at = `/metadata/ownerReferences/${index}`;
  const { uid, ownerReferences = [] } = object.metadata;
  await client.patch(type, object.metadata, [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: `${at}/uid`, value: ownerReferences[index]?.uid },
    { op: 'replace', path: at, value: ownerReference(owner) },
  ]);
}
