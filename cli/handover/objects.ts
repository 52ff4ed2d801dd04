import { nameOf } from '../../operator/engine/api/index.ts';
import type { Kind, Resource } from '../../operator/engine/api/index.ts';
import { listAll } from '../../operator/engine/observe/index.ts';
import { Discovery, type KubeClient, type KubeObject } from '../../operator/kube/index.ts';
import { operatorOfKind } from '../user-kinds/known.ts';

/** All objects that were made for a resource, by whichever host: each of our constructs' objects bears its labels. */
export async function objectsFor(
  client: KubeClient,
  kind: Kind,
  { metadata }: { readonly metadata: Pick<Resource['metadata'], 'name' | 'namespace'> },
): Promise<readonly KubeObject[]> {
  const discovery = new Discovery(client);
  const { labels } = operatorOfKind(kind);
  const selector = `${labels.kind}=${kind.label},${labels.name}=${metadata.name}`;
  const lists: KubeObject[] = [];
  for (const type of kind.childTypes) {
    if (type.optional === true && !(await discovery.isServed(type))) continue;
    for (const object of await listAll(client, type, metadata.namespace ?? '', selector)) lists.push(object);
  }
  return lists;
}

/** A resource in words: `ModelServing models/llama`. */
export const titleOf = ({ kind, metadata: { namespace = '', name } }: Pick<Resource, 'kind' | 'metadata'>): string =>
  `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;

/** An object in words: `Deployment llama`. */
export const wordsFor = ({
  kind,
  metadata: { name },
}: {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}): string => nameOf({ kind, name });
