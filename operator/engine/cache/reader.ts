import type { KubeObject } from '../../kube/index.ts';
import type { Resource, Snapshot, ObservedChild } from '../api/index.ts';

/** Where the server's answers to our writes of children go, so that nothing is decided on what was before them. */
export interface WriteLog {
  /** @returns what the cache keeps of it */
  wrote(object: KubeObject): ObservedChild;
  /** @returns what the cache keeps of it now; undefined where a watch has reported it deleted since */
  found(object: KubeObject): ObservedChild | undefined;
  wroteDelete(live: ObservedChild): void;
}

/** The cache, as one kind sees it: at least as new as our own writes. */
export interface Reader<R extends Resource> extends WriteLog {
  resource(key: string): R | undefined;
  /** Puts the server's answer about the resource, to a write or a read of ours, into the cache. */
  wroteResource(object: KubeObject): void;
  /** The resource of another kind that makes the same objects and is older, where there is one. */
  conflictOf(resource: R): Resource | undefined;
  /** The children, pods and related resources of a resource. */
  around(resource: R): Pick<Snapshot<R>, 'children' | 'pods' | 'related'>;
}
