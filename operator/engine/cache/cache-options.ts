import type { KubeClient, ReflectorEvent, ResourceType } from '../../kube/index.ts';
import type { Identity, Kind, ObservedChild } from '../api/index.ts';
import type { IsServed, ResourceRef } from '../observe/index.ts';

export interface CacheOptions {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly kinds: readonly Kind[];
  readonly identity: Identity;
  /** @default - all namespaces */
  readonly namespace?: string;
  readonly isServed: IsServed;
  /**
   * Which of the optional kinds, and of those that others refer to, are to be watched.
   *
   * @default - those that are served
   */
  readonly isEnabled?: IsServed;
  /** Called for each resource about which something has changed. */
  readonly enqueue: (resource: ResourceRef, why: EnqueueReason) => void;
  /**
   * Called for each child that is being deleted and stays for pods, when it, or what it covers, has changed.
   *
   * @default - nobody lets it go
   */
  readonly stays?: (child: ObservedChild) => void;
  /** What the reflector of a type does, for logs and metrics. */
  readonly report?: (type: ResourceType, event: ReflectorEvent) => void;
}

export interface EnqueueReason {
  /** It was there before we looked, rather than happened now. */
  readonly initial: boolean;
  /** What has changed: the resource itself, or something around it; of a child that has become ready, that it has. */
  readonly what: 'resource' | 'child' | 'ready' | 'pod' | 'related';
}

/** How a cache stands to the server. */
export interface WatchState {
  /** Group and kind: `apps/Deployment`. */
  readonly type: string;
  readonly state: string;
  /** The words of the last failure. */
  readonly message: string;
  readonly objects: number;
}
