/** The value of `app.kubernetes.io/name` on all that a DistributedTraining is made of. */
export const KIND_LABEL = 'distributed-training';

/** The container of every role that runs the program. */
export const TRAINER = 'trainer';
/** The init container of MPI's launcher, which waits for the workers. */
export const WAIT = 'wait';

/** Volumes of pods, beside those that every kind has. */
export const CHECKPOINT_VOLUME = 'checkpoint';
export const CREDENTIALS_VOLUME = 'credentials';
export const HOSTS_VOLUME = 'hosts';
export const SSH_VOLUME = 'ssh';

/** All of these. */
export const OWN_VOLUMES: readonly string[] = [CHECKPOINT_VOLUME, CREDENTIALS_VOLUME, HOSTS_VOLUME, SSH_VOLUME];

/** Label of pods with their role, where users of an earlier operator rely on it. */
export const ROLE_LABEL = 'role';
/** What keeps such a pod from starting until it has that label, which its container reads. */
export const ROLE_GATE = 'trunnion.dev/role';

/** Annotations of a trial: its number, and what it tries, as JSON. */
export const TRIAL = 'trunnion.dev/trial';
export const ASSIGNMENTS = 'trunnion.dev/assignments';

/** Annotation of Jobs, and label of pods: the attempt that they are of. */
export const ATTEMPT = 'trunnion.dev/attempt';

/** Annotation of Jobs: a hash of what of the spec is in their pods, so that a change of it is seen. */
export const TEMPLATE_ANNOTATION = 'trunnion.dev/template';

/** Where Kubernetes tells a pod of an Indexed Job its index: a label and an annotation. */
export const INDEX_LABEL = 'batch.kubernetes.io/job-completion-index';
