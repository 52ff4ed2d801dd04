import type { Manifest } from '../workload.ts';
import type { HorizontalPodAutoscalerBehavior } from './kube.ts';

/** A query of which one replica is to bear `threshold`. */
export interface PrometheusTrigger {
  readonly name: string;
  /**
   * A query whose value, divided by the threshold, is the number of replicas that it takes. It gives nothing where no
   * replica is scraped: that is an error, on which the replicas are kept, and not a load of 0.
   */
  readonly query: string;
  readonly threshold: number;
}

/** What an autoscaler scales, between which bounds and by what. */
export interface Autoscaling {
  /** The Deployment. */
  readonly target: string;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  /** Average use of the requested CPUs, in percent. */
  readonly cpuPercent?: number | undefined;
  readonly triggers: readonly PrometheusTrigger[];
  /** Required by triggers. */
  readonly serverAddress?: string | undefined;
}

/**
 * A replica takes minutes to load a model. So a burst must last a minute before one is added, and a lull ten before one
 * is given up, and then no more than one every two minutes.
 */
const BEHAVIOR: HorizontalPodAutoscalerBehavior = {
  scaleUp: { stabilizationWindowSeconds: 60 },
  scaleDown: {
    stabilizationWindowSeconds: 600,
    policies: [{ type: 'Pods', value: 1, periodSeconds: 120 }],
  },
};

/** An HorizontalPodAutoscaler, or a ScaledObject of KEDA where metrics of Prometheus are asked for; never both. */
export const autoscaler = (metadata: Manifest['metadata'], autoscaling: Autoscaling): Manifest =>
  autoscaling.triggers.length === 0
    ? horizontalPodAutoscaler(metadata, autoscaling)
    : scaledObject(metadata, autoscaling);

const targetOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name });

const horizontalPodAutoscaler = (metadata: Manifest['metadata'], autoscaling: Autoscaling): Manifest => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata,
  spec: {
    scaleTargetRef: targetOf(autoscaling.target),
    minReplicas: autoscaling.minReplicas,
    maxReplicas: autoscaling.maxReplicas,
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: autoscaling.cpuPercent } },
      },
    ],
    behavior: BEHAVIOR,
  },
});

const scaledObject = (metadata: Manifest['metadata'], autoscaling: Autoscaling): Manifest => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata,
  spec: {
    scaleTargetRef: targetOf(autoscaling.target),
    minReplicaCount: autoscaling.minReplicas,
    maxReplicaCount: autoscaling.maxReplicas,
    pollingInterval: 15,
    // Without metrics nobody knows the load: what is there stays.
    fallback: { failureThreshold: 3, replicas: autoscaling.minReplicas, behavior: 'currentReplicasIfHigher' },
    advanced: { horizontalPodAutoscalerConfig: { behavior: BEHAVIOR } },
    triggers: [
      ...autoscaling.triggers.map(({ name, query, threshold }) => ({
        type: 'prometheus',
        name,
        metricType: 'AverageValue',
        metadata: {
          serverAddress: autoscaling.serverAddress,
          query,
          threshold: String(threshold),
          ignoreNullValues: 'false',
        },
      })),
      ...(autoscaling.cpuPercent === undefined
        ? []
        : [{ type: 'cpu', metricType: 'Utilization', metadata: { value: String(autoscaling.cpuPercent) } }]),
    ],
  },
});
