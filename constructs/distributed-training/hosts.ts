import type { HostNotes } from '../schema/structural.ts';

/** What the fields do that mean more, or less, in some hosts; for the reference page. */
export const hostNotes = {
  secret: {
    cdk8s: 'Read by each pod when it starts.',
    pulumi: 'As cdk8s.',
    operator: 'Read by each pod when it starts: a change reaches the next attempt.',
  },
  retryLimit: {
    cdk8s: "The Job's own: how often each rank, by itself, is started again.",
    pulumi: 'As cdk8s.',
    operator: 'All ranks stop when one fails, and start again together.',
  },
  backoff: {
    cdk8s: "Nothing: Kubernetes' own, 10 s doubled up to 6 min.",
    pulumi: 'As cdk8s.',
    operator: 'The pause between attempts, less up to a fifth of it.',
  },
  replicas: {
    cdk8s: 'A change needs a new Job: delete the old one first. Where elastic is given, it changes in place.',
    pulumi: 'As cdk8s.',
    operator: 'A change starts a new attempt, not charged. Where elastic is given, it changes in place.',
  },
  deadline: {
    cdk8s: "The Job's own, for each role by itself.",
    pulumi: 'As cdk8s.',
    operator: 'Over all attempts; time in a queue does not count.',
  },
  ttl: {
    cdk8s: 'Nothing: anyone who deletes the manifests decides.',
    pulumi: 'Nothing: a Job that deleted itself would be made, and run, again.',
    operator: 'The resource itself is deleted, and its children with it: nothing makes it run again.',
  },
  sshSecret: {
    cdk8s: 'Required: a program that makes manifests makes no keys.',
    pulumi: 'Required.',
    operator: 'Left out, a Secret with a new key pair is made.',
  },
  objective: {
    cdk8s: 'Nothing: nobody reads it.',
    pulumi: 'As cdk8s.',
    operator: 'Read when the training has succeeded, from its termination message or its log.',
  },
  tuning: {
    cdk8s: 'Refused: a program that makes manifests does not wait for results.',
    pulumi: 'Refused.',
    operator: 'Each trial is a DistributedTraining, NAME-1 and so on, and a child of this one.',
  },
} as const satisfies Record<string, HostNotes>;
