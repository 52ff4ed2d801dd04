import { ADDS_EGRESS } from '../../../constructs/parts/network/index.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import type { KubeObject } from '../../kube/index.ts';
import { selects, isHostPolicy, isPolicy, podsCoveredBy } from '../api/index.ts';
import type { Identity, LabelSelector, ObservedChild, ObservedPod } from '../api/index.ts';
import { isFinite, isWorkload } from './ready.ts';
import { valueAt } from './slices.ts';

/**
 * Policies outlive the pods that they cover. What deletes a NetworkPolicy (the garbage collector, a prune, the deletion of
 * a namespace, a person) would open pods that may have minutes yet to stop; what deletes the CiliumNetworkPolicy beside it
 * would take from them the hosts that they need for it. So each has the finalizer
 * `<domain>/pod-protection`, as a volume has `kubernetes.io/pvc-protection`: one that is being deleted stays, and is
 * enforced, until nothing that it covers can run. See pod-protection.ts for who takes the finalizer off.
 *
 * | What happens | What happens to the policy |
 * |---|---|
 * | its resource is deleted, expires, or goes with its namespace | stays until the last pod has stopped |
 * | it is no longer wanted (a service that retires, a fetch that is over) | the same |
 * | somebody deletes it, and the resource stays | stays as long as the Deployment or Job of its pods, and follows the spec as before |
 * | its resource is deleted and created again by the same name | passes to the new one, whose pods it covers as well; once it has none, it goes and is created again |
 * | a service retires, and is brought back meanwhile | the same, within one resource |
 * | a training's attempt ends, is suspended or continues | nothing: the policy is the training's, not the attempt's |
 * | a trial of a search ends | it is a training of its own |
 * | pods have ended, and are left with their Job | goes: they can't run any more |
 * | a pod that we did not make has the labels that it selects | stays for that pod as well; its end is found within minutes |
 * | a pod hangs on a node that is gone | stays: the pod may still run. Who deletes that pod by force lets the policy go |
 * | no operator runs | stays until one does, or somebody takes the finalizer off |
 * | `egress` has no hosts any more, and the workload runs on | the CiliumNetworkPolicy goes at once, whatever it covers: see `isRevoked` |
 * | the CRD of Cilium is deleted | the CiliumNetworkPolicy goes at once: the CRD would wait for it |
 *
 * This tells whether a manifest is that of such a policy. A NetworkPolicy that only adds to what pods may reach is none:
 * another one closes them.
 */
export const isToOutlivePods = (manifest: Manifest): boolean =>
  isPolicy(manifest) && !Object.hasOwn(manifest.metadata.annotations ?? {}, ADDS_EGRESS);

/** A policy, with the finalizer. */
export const protectedManifest = (manifest: Manifest, { podProtection }: Identity): Manifest => ({
  ...manifest,
  metadata: { ...manifest.metadata, finalizers: [podProtection] },
});

/**
 * Longest selector, and labels of a template, that are kept, as JSON. Ours take a tenth of it; tenants may write a megabyte
 * into an object that bears our label.
 */
const LONGEST = 2_048;

const isShort = (value: object): boolean => JSON.stringify(value).length <= LONGEST;

/**
 * Which pods a live object stays for; undefined where it isn't being deleted, or nothing of ours keeps it. One whose
 * selector is too long to be kept stays for all pods of its namespace.
 */
export function staysFor(object: KubeObject, { podProtection }: Identity): LabelSelector | undefined {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || !finalizers.includes(podProtection) || !isPolicy(object)) return undefined;
  const selector = podsCoveredBy(object);
  return isShort(selector) ? selector : {};
}

/** Labels of pods. */
type Labels = ObservedPod['labels'];

/** The labels of the pods that a live object may make; undefined where it makes none, or has too many to be kept. */
export function podLabelsOf(object: KubeObject): Labels | undefined {
  // A LeaderWorkerSet has two templates: no labels are those of all its pods.
  if (!isWorkload(object) || valueAt(object, 'spec.leaderWorkerTemplate') !== undefined) return undefined;
  const labels = (valueAt(object, 'spec.template.metadata.labels') ?? {}) as Labels;
  return isShort(labels) ? labels : undefined;
}

/** Phases of pods whose containers have stopped for good. */
export const OVER: readonly string[] = ['Succeeded', 'Failed'];

/** Whether a pod runs, or may yet. The phase of one that is evicted is `Failed` before its containers have stopped. */
const canRun = ({ phase, containers }: ObservedPod): boolean =>
  !OVER.includes(phase) || containers.some(({ running }) => running !== undefined);

/** Whether an object may make pods, any time, that a policy selects. */
const mayMake = (child: ObservedChild, selector: LabelSelector): boolean =>
  isWorkload(child) && !isOver(child) && (child.podLabels === undefined || selects(selector, child.podLabels));

/** Whether it is a Job that makes no more pods: it is complete, or has failed. */
const isOver = (child: ObservedChild): boolean => isFinite(child) && (child.ready || hasFailed(child));

function hasFailed({ slice }: ObservedChild): boolean {
  const conditions = (valueAt(slice, 'status.conditions') ?? []) as readonly Readonly<Record<string, string>>[];
  return conditions.some(({ type, status }) => type === 'Failed' && status === 'True');
}

/**
 * Whether a policy that is being deleted has something to cover: a pod that can run, or a Deployment or Job that may make
 * one at any moment.
 *
 * @param children - those of the policy's resource, by name: those of an earlier one, too
 * @param pods - those of the policy's resource
 */
export const hasToStay = (
  { staysFor: selector }: Pick<ObservedChild, 'staysFor'>,
  children: readonly ObservedChild[],
  pods: readonly ObservedPod[],
): boolean =>
  selector !== undefined &&
  (pods.some((pod) => canRun(pod) && selects(selector, pod.labels)) ||
    children.some((child) => mayMake(child, selector)));

/**
 * Whether a policy that is no longer wanted opens hosts for pods that run on: what a spec takes back is closed at once. One
 * of an earlier resource of the name opens them for the pods of the new one, which has not asked for it.
 *
 * @param ownerUid - UID of the resource, which has workloads
 */
export const isRevoked = (child: ObservedChild, ownerUid: string): boolean =>
  isHostPolicy(child) &&
  (child.ownerUid === ownerUid
    ? !child.deleting || child.staysFor !== undefined
    : child.staysFor !== undefined && child.digest !== '');
