import type { HostNotes } from '../schema/structural.ts';

/** What the fields do that mean more, or less, in some hosts; for the reference page. */
export const hostNotes = {
  modelRef: {
    cdk8s: 'Refused, since nobody looks the name up: give the ModelServing construct itself as `model`.',
    pulumi: 'As cdk8s.',
    operator: 'Looked up; when the ModelServing changes, the pods roll. Until it exists, no pod is started.',
  },
  secret: {
    cdk8s: 'A change of the Secret restarts nothing.',
    pulumi: 'A change of the Secret restarts nothing.',
    operator: 'A change of the Secret rolls the pods; a missing one is reported in a condition.',
  },
} as const satisfies Record<string, HostNotes>;
