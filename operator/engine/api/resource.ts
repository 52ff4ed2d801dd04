import type { ObjectMeta } from '../../kube/index.ts';

/** A condition, as in Kubernetes' API conventions. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One CamelCase word that programs may rely on. */
  readonly reason: string;
  /** A sentence for a person: what is the matter, and what to do. */
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

/** What a condition says; the engine adds its time of transition and its generation. */
export type BareCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** What the status of every kind has. */
export interface CommonStatus {
  readonly phase?: string;
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

/** A custom resource. */
export interface Resource<Spec = unknown, Status extends CommonStatus = CommonStatus> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: Spec;
  readonly status?: Status;
}
