/** Owns the fields of children that we apply, and our finalizer. */
export const FIELD_MANAGER = 'trunnion';
/** Owns the status of resources: a manager of its own, since one entry can't hold spec and status. */
export const STATUS_MANAGER = 'trunnion-status';
/** Keeps a field alive while it passes from us to somebody else. */
export const HANDOVER_MANAGER = 'trunnion-handover';

export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const MANAGED_BY = 'trunnion';
export const PART_OF_LABEL = 'app.kubernetes.io/part-of';
export const PART_OF = 'trunnion';
/** Label with the kind of workload: `model-serving`. */
export const NAME_LABEL = 'app.kubernetes.io/name';
/** Label with the name of the resource. */
export const INSTANCE_LABEL = 'app.kubernetes.io/instance';
/** Finalizer of a policy, by which it outlives the pods that it covers: see staying.ts. */
export const POD_PROTECTION = 'trunnion.dev/pod-protection';
/**
 * Annotation by which a resource is left alone: nothing of it is written but the condition {@link PAUSED}, which repeats
 * the annotation's value, so that anyone who set it knows when it holds.
 */
export const PAUSED_ANNOTATION = 'trunnion.dev/paused';
/** Condition that tells that a resource is left alone. */
export const PAUSED = 'Paused';
/**
 * Condition that tells that the operator itself makes no progress with a resource: an abnormal-true condition, as
 * kstatus (sigs.k8s.io/cli-utils) defines it. It is absent where all is well.
 */
export const STALLED = 'Stalled';
/** Annotation whose change has a resource that was set aside tried again, as Flux's annotation of that name has. */
export const REQUESTED_AT_ANNOTATION = 'trunnion.dev/requested-at';
