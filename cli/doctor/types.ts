import type { KubeObject } from '../../operator/kube/index.ts';

/** Whether something is as Trunnion needs it; a warning is about what only some specs need, or what can't be looked at. */
export type Severity = 'ok' | 'warn' | 'fail';

/** Something that was looked at. */
export interface Check {
  /** What it is about: `GPUs`, `Storage`. */
  readonly about: string;
  readonly verdict: Severity;
  /** What was found. */
  readonly found: string;
  /**
   * What that means, and what to do.
   *
   * @default - nothing is to be done
   */
  readonly advice?: string;
}

/** An answer of the API server, or why there is none. */
export type Known<T> =
  | {
      readonly known: true;
      readonly value: T;
      /**
       * What the caller may not see of it, as a sentence.
       *
       * @default - nothing
       */
      readonly lacking?: string;
    }
  | { readonly known: false; readonly because: string };

/** A right that was asked about. */
export interface Right {
  /** In words: `create modelservings`. */
  readonly words: string;
  readonly allowed: boolean;
}

/** All that the checks may look at. */
export interface Observed {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The namespace of the workloads. */
  readonly namespace: string;
  /** The namespace of the operator. */
  readonly operatorNamespace: string;
  /** `v1.36.3` */
  readonly serverVersion: string;
  /** Group and version of all that is served: `keda.sh/v1alpha1`. */
  readonly served: ReadonlySet<string>;
  /** CRDs of our group and of the earlier operators' groups. */
  readonly crds: Known<readonly KubeObject[]>;
  readonly deployment: Known<KubeObject | undefined>;
  readonly lease: Known<KubeObject | undefined>;
  readonly nodes: Known<readonly KubeObject[]>;
  readonly storageClasses: Known<readonly KubeObject[]>;
  readonly gatewayClasses: Known<readonly KubeObject[]>;
  readonly ingressClasses: Known<readonly KubeObject[]>;
  /** Kueue's queues in the namespace of the workloads. */
  readonly localQueues: Known<readonly KubeObject[]>;
  readonly quotas: Known<readonly KubeObject[]>;
  /** The NetworkPolicies, and Cilium's, in the namespace of the workloads. */
  readonly policies: Known<readonly KubeObject[]>;
  /** The resources of all kinds in the namespace of the workloads. */
  readonly resources: Known<readonly KubeObject[]>;
  /** What the caller may do there. */
  readonly rights: Known<readonly Right[]>;
}
