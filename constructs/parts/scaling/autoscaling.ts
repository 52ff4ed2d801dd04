import type { Manifest } from '../../workload.ts';
import type { HorizontalPodAutoscalerBehavior } from '../objects/index.ts';

/** A trigger of KEDA: where it asks for a number, of which each replica is to bear a part. */
export interface Trigger {
  /** KEDA's name of the scaler: `prometheus`, `redis`. */
  readonly type: string;
  readonly name: string;
  /** What the scaler needs to know; it takes text only. */
  readonly metadata: Readonly<Record<string, string>>;
  /**
   * What says where KEDA finds what it shows: a TriggerAuthentication of the same namespace where no kind is given.
   *
   * @default - the source asks for none
   */
  readonly authentication?: { readonly name: string; readonly kind?: string } | undefined;
}

/** A query of which one replica is to bear `threshold`. */
export interface PrometheusQuery {
  readonly name: string;
  /**
   * A query whose value, divided by the threshold, is the number of replicas that it takes. Where it gives nothing, that
   * is an error, on which the replicas are kept, and not a load of 0.
   */
  readonly query: string;
  readonly threshold: number;
}

/** How fast an autoscaler follows the load. */
export type Behavior = HorizontalPodAutoscalerBehavior & {
  readonly scaleDown: { readonly stabilizationWindowSeconds: number };
};

/** What is scaled: what has the subresource `scale`. */
export interface ScaleTarget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** The Deployment of this name. */
export const deploymentTarget = (name: string): ScaleTarget => ({ apiVersion: 'apps/v1', kind: 'Deployment', name });

/** What an autoscaler scales, between which bounds and by what. */
export interface Autoscaling {
  readonly target: ScaleTarget;
  /** May be 0 where there are triggers, whose numbers need no running replica. */
  readonly minReplicas: number;
  readonly maxReplicas: number;
  /** Average use of the requested CPUs, in percent. */
  readonly cpuPercent?: number | undefined;
  readonly triggers: readonly Trigger[];
  readonly behavior: Behavior;
}

/** An HorizontalPodAutoscaler, or a ScaledObject of KEDA where there are triggers; never both. */
export const autoscaler = (metadata: Manifest['metadata'], autoscaling: Autoscaling): Manifest =>
  autoscaling.triggers.length === 0
    ? horizontalPodAutoscaler(metadata, autoscaling)
    : scaledObject(metadata, autoscaling);

const horizontalPodAutoscaler = (metadata: Manifest['metadata'], autoscaling: Autoscaling): Manifest => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata,
  spec: {
    scaleTargetRef: autoscaling.target,
    minReplicas: autoscaling.minReplicas,
    maxReplicas: autoscaling.maxReplicas,
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: autoscaling.cpuPercent } },
      },
    ],
    behavior: autoscaling.behavior,
  },
});

const scaledObject = (metadata: Manifest['metadata'], autoscaling: Autoscaling): Manifest => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata,
  spec: {
    scaleTargetRef: autoscaling.target,
    minReplicaCount: autoscaling.minReplicas,
    maxReplicaCount: autoscaling.maxReplicas,
    pollingInterval: 15,
    // The last replica goes as late as any other.
    ...(autoscaling.minReplicas === 0 && {
      cooldownPeriod: autoscaling.behavior.scaleDown.stabilizationWindowSeconds,
    }),
    // Without metrics nobody knows the load: what is there stays, and there is at least one.
    fallback: {
      failureThreshold: 3,
      replicas: Math.max(1, autoscaling.minReplicas),
      behavior: 'currentReplicasIfHigher',
    },
    advanced: { horizontalPodAutoscalerConfig: { behavior: autoscaling.behavior } },
    triggers: [
      ...autoscaling.triggers.map(({ type, name, metadata: of, authentication }) => ({
        type,
        name,
        metricType: 'AverageValue',
        metadata: of,
        ...(authentication !== undefined && { authenticationRef: authentication }),
      })),
      ...(autoscaling.cpuPercent === undefined
        ? []
        : [{ type: 'cpu', metricType: 'Utilization', metadata: { value: String(autoscaling.cpuPercent) } }]),
    ],
  },
});
