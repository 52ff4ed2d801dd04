import { keepsPods, restarts, type RestartTable } from '../../schema/restarts.ts';

/** Of the fields that the pods of every kind have. */
export const podRestarts: RestartTable = {
  'spec.resources': restarts('What a container asks for is part of its pod, and so is where it may run.'),
  'spec.env': restarts('A process gets its environment when it starts.'),
  'spec.imagePullSecrets': restarts('Part of the pod: read when its images are pulled.'),
  'spec.nodeSelector': restarts('Part of the pod: a pod is placed once.'),
  'spec.tolerations': restarts('Part of the pod: a pod is placed once.'),
  'spec.priorityClassName': restarts('Part of the pod, which keeps its priority.'),
  'spec.runtimeClassName': restarts('Part of the pod: it says what runs the containers.'),
  'spec.security': restarts('Part of the pod: a process keeps the rights that it started with.'),
  'spec.podTemplate': restarts('All of it goes into the pods, metadata as well.'),
  'spec.serviceAccount': restarts(
    'identity azure-workload-identity is a label of the pods. gke-workload-identity is a variable of a fetch, and so part of pods that fetch by themselves. eks-pod-identity changes the NetworkPolicy alone.',
  ),
  'spec.serviceAccount.annotations': keepsPods(
    'Changes the ServiceAccount, which a pod names. New pods get what it brings. Only where pods fetch gs:// or az:// by themselves, the annotation of such an identity is like identity.',
  ),
  'spec.egress': keepsPods(
    'Changes the NetworkPolicy and, for hosts, the CiliumNetworkPolicy, which hold at once for pods that run.',
  ),
};

/** Of the fields that scale and expose what serves. */
export const servingRestarts: RestartTable = {
  'spec.replicas': keepsPods('Adds or removes pods; the others run on.'),
  'spec.autoscaling': keepsPods('Changes the autoscaler alone.'),
  'spec.expose': keepsPods('Changes the Ingress or the HTTPRoute alone.'),
  'spec.drain': restarts('The time to stop is part of the pod: its grace period, and its stop hook.'),
};
