import type {
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1ConfigMap,
  V1CronJob,
  V1DaemonSet,
  V1Deployment,
  V1Ingress,
  V1Job,
  V1Namespace,
  V1NetworkPolicy,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1ReplicaSet,
  V1Role,
  V1RoleBinding,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1StatefulSet,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';
import type { KubeObject } from '../../operator/kube/index.ts';

/** Kubernetes' own types that operators make most. */
interface KnownObjects {
  ClusterRole: V1ClusterRole;
  ClusterRoleBinding: V1ClusterRoleBinding;
  ConfigMap: V1ConfigMap;
  CronJob: V1CronJob;
  DaemonSet: V1DaemonSet;
  Deployment: V1Deployment;
  HorizontalPodAutoscaler: V2HorizontalPodAutoscaler;
  Ingress: V1Ingress;
  Job: V1Job;
  Namespace: V1Namespace;
  NetworkPolicy: V1NetworkPolicy;
  PersistentVolumeClaim: V1PersistentVolumeClaim;
  Pod: V1Pod;
  PodDisruptionBudget: V1PodDisruptionBudget;
  ReplicaSet: V1ReplicaSet;
  Role: V1Role;
  RoleBinding: V1RoleBinding;
  Secret: V1Secret;
  Service: V1Service;
  ServiceAccount: V1ServiceAccount;
  StatefulSet: V1StatefulSet;
}

/** As it comes over the wire: times are text. */
type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : T extends object
      ? { readonly [Field in keyof T]: Wire<T[Field]> }
      : T;

/** The kind in the name of an object: of `Deployment/web` it is `Deployment`. */
type KindIn<Name extends string> = Name extends `${infer Kind}/${string}` ? Kind : Name;

/** A live object by its name: one of Kubernetes' own has its fields, any other is an object of which nothing is known. */
export type LiveObject<Name extends string> = KubeObject &
  (KindIn<Name> extends keyof KnownObjects ? Wire<Omit<KnownObjects[KindIn<Name>], 'metadata'>> : unknown);
