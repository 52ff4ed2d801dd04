import type { HostNotes } from '../schema/structural.ts';

/** What the fields do that mean more, or less, in some hosts; for the reference page. */
export const hostNotes = {
  uri: {
    cdk8s:
      'A new one gets a new volume; the Deployment rolls at once, and its new pods wait for their weights while the old ones serve. On a ReadWriteOnce volume the old pod stops first: nothing serves until the new model is fetched and loaded.',
    pulumi: 'As cdk8s; where a Job fetches, the Deployment rolls once it is complete.',
    operator: 'A new one is fetched beside the old one, which serves meanwhile; then the Deployment rolls.',
  },
  secret: {
    cdk8s: 'A change of the Secret restarts nothing.',
    pulumi: 'A change of the Secret restarts nothing.',
    operator:
      'On a ReadWriteOnce volume, where the pod itself fetches, a change of the Secret rolls it; a missing Secret is reported in a condition.',
  },
  retain: {
    cdk8s:
      'Argo CD and Flux keep the volume when they no longer have it; else anyone who deletes the manifests decides.',
    pulumi: 'The volume is retained when the program no longer has it, and taken back once it has it again.',
    operator: 'The volume has no owner, so it stays when the resource is deleted; Argo CD and Flux keep it too.',
  },
  image: {
    cdk8s: "The default is that of the library's release.",
    pulumi: "The default is that of the library's release.",
    operator: 'The default is kept in status when it is first chosen: an upgrade of the operator restarts nothing.',
  },
  drain: {
    cdk8s: "Kept by each pod's own stop hook.",
    pulumi: 'As cdk8s.',
    operator: 'As cdk8s; when the resource is deleted or retired, its pods stop once no request is in flight.',
  },
  retired: {
    cdk8s: 'Refused: take the resource out of the app.',
    pulumi: 'Refused: take the resource out of the program.',
    operator: 'Drains it, then removes its pods; the resource stays, in phase Retired.',
  },
  successor: {
    cdk8s: 'Nothing.',
    pulumi: 'Nothing.',
    operator: 'Told in the conditions.',
  },
} as const satisfies Record<string, HostNotes>;
