export { IDENTITIES, IDENTITY_OF_SCHEME, identityEgress, identityLabels, type IdentityProvider } from './identity.ts';
export type {
  Container,
  ContainerPort,
  DeploymentStrategy,
  EnvVar,
  HorizontalPodAutoscalerBehavior,
  Lifecycle,
  NetworkPolicyEgressRule,
  NetworkPolicyPeer,
  PodSecurityContext,
  PodSpec,
  PodTemplate,
  Probe,
  ResourceRequirements,
  SecurityContext,
  Toleration,
  Volume,
  VolumeMount,
} from './kube.ts';
export { labelsOf, selectorLabels, selectorText, workloadSelector, type Identity, type Labels } from './labels.ts';
export { NAMINGS, NAMING_ANNOTATION, namedLabels, type Naming } from './naming.ts';
export { expandedVariables, takenVariables, uniqueVariables } from './references.ts';
export { podRestarts, servingRestarts } from './restarts.ts';
export { POD_TEMPLATES, podTemplatesIn } from './pod-templates.ts';
