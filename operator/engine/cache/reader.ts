import type { KubeObject } from '../../kube/client/types.ts';
import type { WriteLog } from '../reconcile/execute.ts';
import type { Resource, Snapshot } from '../api/kind.ts';

/** The cache, as one kind sees it: at least as new as our own writes. */
export interface Reader<R extends Resource> extends WriteLog {
  resource(key: string): R | undefined;
  /** Takes in the server's answer about the resource, to a write or a question of ours. */
  wroteResource(object: KubeObject): void;
  /** The resource of another kind that makes the same objects and was there first, where there is one. */
  conflictOf(resource: R): Resource | undefined;
  /** The children, pods and related resources of a resource. */
  around(resource: R): Pick<Snapshot<R>, 'children' | 'pods' | 'related'>;
}
