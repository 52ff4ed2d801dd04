import type { KubeClient, ResourceType } from '../../kube/index.ts';
import type { Resource } from '../api/index.ts';
import type { Reader } from '../cache/index.ts';

export interface FreshContext<R extends Resource> {
  readonly client: Pick<KubeClient, 'find'>;
  readonly type: ResourceType;
  readonly reader: Pick<Reader<R>, 'wroteResource'>;
  readonly signal?: AbortSignal;
}

/**
 * Asks the server whether a resource still is as its watch has told; where it is not, the view learns what it is. That it
 * is gone, only the watch can tell: a server that is not well says so of anything.
 *
 * What a pass does to children can't be guarded by the version of the resource that it does it for. And the watch of a
 * resource may be behind those of its children: of one that was deleted, the garbage collector takes the children, their
 * watches tell so, and all would be made anew, again and again; of one that was changed, a Deployment would roll back.
 */
export async function isAsKnown<R extends Resource>(known: R, context: FreshContext<R>): Promise<boolean> {
  const { client, type, reader, ...call } = context;
  const { name, namespace, uid, resourceVersion } = known.metadata;
  const live = await client.find(type, { name, ...(namespace !== undefined && { namespace }) }, call);
  if (live?.metadata.uid === uid && live.metadata.resourceVersion === resourceVersion) return true;
  if (live !== undefined) reader.wroteResource(live);
  return false;
}
