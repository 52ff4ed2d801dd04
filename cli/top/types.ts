/** What the table needs of a resource. */
export interface TopResource {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The label by which its pods name its kind. */
  readonly label: string;
  readonly phase: string;
  readonly ready?: number;
  readonly desired?: number;
}

/** What the table needs of a pod. */
export interface TopPod {
  readonly namespace: string;
  readonly name: string;
  /** Whether it is a pod of a resource of Trunnion. */
  readonly isOurs: boolean;
  readonly label: string;
  readonly instance: string;
  /** GPUs that it asks for. */
  readonly gpus: number;
  /** Absent where it waits for one. */
  readonly node?: string;
  /** Where it tells its metrics; absent where it is not ready, and where it tells none. */
  readonly metrics?: { readonly port: number; readonly path: string };
}

/** What an engine tells of its requests; what it does not tell is absent. */
export interface EngineReading {
  readonly running?: number;
  readonly waiting?: number;
  readonly tokensPerSecond?: number;
}

/** GPUs of the nodes. */
export interface NodeGpus {
  readonly total: number;
  /** Held by pods of resources of Trunnion. */
  readonly ours: number;
  readonly others: number;
  /** Of nodes that take pods. */
  readonly free: number;
  /** Free ones of nodes that are cordoned or not ready. */
  readonly closed: number;
}

/** The table is made from this, and from nothing else. */
export interface Observed {
  readonly resources: readonly TopResource[];
  /** Absent where they may not be listed. */
  readonly pods?: readonly TopPod[];
  /** By `namespace/name` of the pod; without those that did not answer. */
  readonly engines: ReadonlyMap<string, EngineReading>;
  /** The utilisation of each GPU of a pod, in percent, by `namespace/name` of the pod. */
  readonly utilisation: ReadonlyMap<string, readonly number[]>;
  /** Absent where nobody asked, and where nodes or pods may not be listed. */
  readonly nodes?: NodeGpus;
  /** What could not be seen, and why. */
  readonly notes: readonly string[];
}

/** Figures of a resource, or of all of a namespace. What is unknown is absent. */
export interface Figures {
  /** GPUs that the pods ask for, of those that run and those that wait. */
  readonly gpus?: number;
  /** GPUs of pods that wait for a node. */
  readonly gpusWaiting?: number;
  /** The average over the GPUs of which it is told, in percent. */
  readonly gpuUtilisation?: number;
  /** GPUs that did nothing when DCGM looked last. */
  readonly gpusIdle?: number;
  /** Requests in work. */
  readonly running?: number;
  /** Requests in the queue. */
  readonly waiting?: number;
  readonly tokensPerSecond?: number;
  /** Some pods did not answer: there are more requests and tokens than these. */
  readonly incomplete?: true;
}

/** A resource in the table. */
export interface Row extends Figures {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
  readonly phase: string;
  readonly ready?: number;
  readonly desired?: number;
}

/** All that is told. */
export interface Table {
  readonly resources: readonly Row[];
  readonly namespaces: readonly ({ readonly namespace: string } & Figures)[];
  readonly nodes?: NodeGpus;
  readonly notes: readonly string[];
}
