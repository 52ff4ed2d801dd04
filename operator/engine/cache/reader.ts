import type { KubeObject } from '../../kube/index.ts';
import type { ObservedChild, Resource, Snapshot } from '../api/index.ts';

/** Where the server's answers to us go, so that nothing is decided on what was before them. */
export interface WriteLog {
  /** @returns what is kept of it */
  wrote(object: KubeObject): ObservedChild;
  /** @returns what is known of it now; undefined where a watch has told that it is gone since */
  found(object: KubeObject): ObservedChild | undefined;
  wroteDelete(live: ObservedChild): void;
}

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
