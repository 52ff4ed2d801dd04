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
 * Asks the API server whether a resource still is as the cache has it; where it is not, the cache gets what the server
 * has. That it is gone, only the watch reports: an API server in trouble says so of anything.
 *
 * What a pass does to children can't be guarded by the version of the resource that it does it for. And the watch of a
 * resource may be behind those of its children: of one that was deleted, the garbage collector takes the children, their
 * watches report that, and all would be created again, again and again; of one that was changed, a Deployment would roll back.
 */
export async function isFresh<R extends Resource>(cached: R, context: FreshContext<R>): Promise<boolean> {
  const { client, type, reader, ...call } = context;
  const { name, namespace, uid, resourceVersion } = cached.metadata;
  const live = await client.find(type, { name, ...(namespace !== undefined && { namespace }) }, call);
  if (live?.metadata.uid === uid && live.metadata.resourceVersion === resourceVersion) return true;
  if (live !== undefined) reader.wroteResource(live);
  return false;
}
