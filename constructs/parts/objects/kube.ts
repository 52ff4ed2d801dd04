import type { k8s } from 'cdk8s-plus-28';

/**
 * A type of cdk8s-plus as plain JSON: quantities and ports are text and numbers, not classes, so that a manifest can be
 * merged, hashed and compared. Only types are taken from there: nothing of it is loaded. Its classes for quantities and
 * ports are told by having no key but `value`.
 */
export type Plain<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : T extends object
      ? keyof T extends 'value'
        ? number | string
        : { readonly [K in keyof T]: Plain<T[K]> | Absent<T, K> }
      : T;

/** An optional field may be said to be `undefined`: rendering leaves it out. */
type Absent<T, K extends keyof T> = object extends Pick<T, K> ? undefined : never;

export type EnvVar = Plain<k8s.EnvVar>;
export type ContainerPort = Plain<k8s.ContainerPort>;
export type Probe = Plain<k8s.Probe>;
export type ResourceRequirements = Plain<k8s.ResourceRequirements>;
export type PodSecurityContext = Plain<k8s.PodSecurityContext>;
export type SecurityContext = Plain<k8s.SecurityContext>;
export type Toleration = Plain<k8s.Toleration>;
export type VolumeMount = Plain<k8s.VolumeMount>;
export type NetworkPolicyEgressRule = Plain<k8s.NetworkPolicyEgressRule>;
export type NetworkPolicyPeer = Plain<k8s.NetworkPolicyPeer>;
export type HorizontalPodAutoscalerBehavior = Plain<k8s.HorizontalPodAutoscalerBehaviorV2>;
export type DeploymentStrategy = Plain<k8s.DeploymentStrategy>;

/** A volume; `image` is newer than the types. */
export type Volume = Plain<k8s.Volume> & {
  readonly image?: { readonly reference: string; readonly pullPolicy?: string } | undefined;
};

/** What happens before a container stops; `sleep` is newer than the types. */
export type Lifecycle = {
  readonly preStop?: Plain<k8s.LifecycleHandler> | { readonly sleep: { readonly seconds: number } } | undefined;
};

/** A container. */
export type Container = Omit<Plain<k8s.Container>, 'lifecycle'> & { readonly lifecycle?: Lifecycle | undefined };

/** A pod's spec. */
export type PodSpec = Omit<Plain<k8s.PodSpec>, 'containers' | 'initContainers' | 'volumes'> & {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[] | undefined;
  readonly volumes?: readonly Volume[] | undefined;
};

/** The template of a workload's pods. */
export interface PodTemplate {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  };
  readonly spec: PodSpec;
}
