import type { Identity } from './engine/api/index.ts';
import { OPERATOR_NAME } from './name.ts';

/**
 * Who Trunnion's own operator is. Its labels are Kubernetes' recommended ones, which its constructs put on all objects and
 * pods in every host, so that what another host has made can be taken over without a restart.
 */
export const TRUNNION: Identity = {
  name: OPERATOR_NAME,
  title: 'Trunnion',
  domain: 'trunnion.dev',
  fieldManager: 'trunnion',
  statusManager: 'trunnion-status',
  handoverManager: 'trunnion-handover',
  managedBy: 'trunnion',
  labels: {
    operator: 'app.kubernetes.io/part-of',
    kind: 'app.kubernetes.io/name',
    name: 'app.kubernetes.io/instance',
    namespace: 'trunnion.dev/namespace',
    uid: 'trunnion.dev/uid',
  },
  partOf: 'trunnion',
  podProtection: 'trunnion.dev/pod-protection',
  pausedAnnotation: 'trunnion.dev/paused',
  requestedAtAnnotation: 'trunnion.dev/requested-at',
  metricPrefix: 'trunnion',
  commands: { adopt: 'trunnion adopt', install: 'trunnion install' },
};
