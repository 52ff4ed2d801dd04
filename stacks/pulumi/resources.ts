import type * as pulumi from '@pulumi/pulumi';
import * as k8s from '@pulumi/kubernetes';
import { largest } from '../../constructs/parts/extremes.ts';
import type { WovenManifest } from './rendering.ts';

type ResourceClass = new (
  name: string,
  args: WovenManifest,
  opts: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

/**
 * The groups that Kubernetes itself serves, of which the SDK has classes. Told one by one, since their names don't tell:
 * `gateway.networking.k8s.io` is none of them.
 */
const BUILT_IN: Readonly<Record<string, object>> = {
  v1: k8s.core.v1,
  'apps/v1': k8s.apps.v1,
  'autoscaling/v2': k8s.autoscaling.v2,
  'batch/v1': k8s.batch.v1,
  'networking.k8s.io/v1': k8s.networking.v1,
  'policy/v1': k8s.policy.v1,
  'rbac.authorization.k8s.io/v1': k8s.rbac.v1,
};

/** The class of an object's type: its own where the SDK has one, else that of custom resources. */
export function classOf({ apiVersion, kind }: WovenManifest): ResourceClass {
  const group = BUILT_IN[apiVersion] as Readonly<Record<string, ResourceClass>> | undefined;
  // The SDK's classes take what is in a manifest; their types can't be told from a type that is only known here.
  return group?.[kind] ?? k8s.apiextensions.CustomResource;
}

/** What is ready, for Pulumi, only once pods are: a Service has endpoints, an Ingress leads to one. */
const WAITS_FOR_PODS = new Set(['Deployment', 'Ingress', 'Job', 'Service']);

/** Whether Pulumi waits for pods before it calls an object ready. */
export const waitsForPods = ({ kind }: WovenManifest): boolean => WAITS_FOR_PODS.has(kind);

/** Longer than most models of several hundred GiB take to be fetched, loaded and warmed up. */
const LEAST_SECONDS = 4 * 3600;

/**
 * How long Pulumi waits for pods, where the caller says nothing: as long as the Deployments of the workload give
 * themselves, so that Kubernetes' own verdict comes first. A pod that drains may take an hour to stop.
 */
export function patienceFor(manifests: readonly WovenManifest[]): pulumi.CustomTimeouts {
  const deadlines = manifests.flatMap(({ spec }) => deadlineOf(spec) ?? []);
  const start = `${largest(
    deadlines.map((seconds) => seconds + 60),
    LEAST_SECONDS,
  )}s`;
  return { create: start, update: start, delete: '5400s' };
}

function deadlineOf(spec: unknown): number | undefined {
  const seconds = (spec as { readonly progressDeadlineSeconds?: unknown } | undefined)?.progressDeadlineSeconds;
  return typeof seconds === 'number' ? seconds : undefined;
}

/** The manifest with the sign for Pulumi not to wait until the object is ready. */
export const withoutWaiting = (manifest: WovenManifest): WovenManifest => ({
  ...manifest,
  metadata: {
    ...manifest.metadata,
    annotations: { ...manifest.metadata.annotations, 'pulumi.com/skipAwait': 'true' },
  },
});
