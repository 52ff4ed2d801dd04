import type { LabelSelector } from './label-selector.ts';

/** What the cache keeps of a child: enough to see whether it is as we want it, and what kinds read of its status. */
export interface ObservedChild {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** UID of its controller; absent where it has none. */
  readonly ownerUid?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly deleting: boolean;
  /** Which pods it stays for, where it is being deleted and outlives them: see staying.ts. */
  readonly staysFor?: LabelSelector;
  /** The labels of the pods that it may make, where it makes some: see staying.ts. */
  readonly podLabels?: Readonly<Record<string, string>>;
  /** Digest of the fields that our field manager owns; equals the digest of the manifest where nothing has drifted. */
  readonly digest: string;
  /** Tells versions apart in which the fields that our field manager owns may differ: see observe.ts. */
  readonly stamp?: string;
  /** Of the paths that others may own (`spec.replicas`), those that our field manager owns now. */
  readonly owns: readonly string[];
  /** Whether it is ready, by the one table in ready.ts. */
  readonly ready: boolean;
  /** The slice of it that kinds read, by kind: see slices.ts. */
  readonly slice: Readonly<Record<string, unknown>>;
}

/** What the cache keeps of a container of a pod. */
export interface ObservedContainer {
  readonly name: string;
  readonly init: boolean;
  /** Whether it is an init container that runs beside the others and is stopped with them; absent where it is none. */
  readonly sidecar?: true;
  readonly ready: boolean;
  readonly started: boolean;
  /** Seconds that its startup probe leaves it, after which it is stopped; absent where it has none. */
  readonly startupSeconds?: number;
  readonly restarts: number;
  readonly image?: string;
  readonly waiting?: { readonly reason: string; readonly message: string };
  readonly running?: { readonly startedAt: string };
  readonly terminated?: ContainerEnd;
  readonly lastTerminated?: ContainerEnd;
}

/** How a container ended. */
export interface ContainerEnd {
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  /** Absent where its start was not told: a container that could not be started. */
  readonly startedAt?: string;
  readonly finishedAt: string;
}

/** What the cache keeps of a pod of a workload. */
export interface ObservedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The annotations of the operator's domain and of batch.kubernetes.io, and no others. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly deleting: boolean;
  /** When its node should have stopped it, in milliseconds since the epoch, where it is being deleted. */
  readonly goneBy?: number;
  /** Since when it is being removed, in milliseconds since the epoch, as far as that is told. */
  readonly goesSince?: number;
  /** Since when not all of its containers are ready, in milliseconds since the epoch; absent where they are. */
  readonly unreadySince?: number;
  readonly phase: string;
  readonly reason?: string;
  /** The names of the extended resources that it asks for, and of the GPU product; absent where it asks for none. */
  readonly devices?: string;
  readonly node?: string;
  readonly ip?: string;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
  }[];
  readonly containers: readonly ObservedContainer[];
}
