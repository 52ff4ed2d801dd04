import { identityLabels, labelsOf, namedLabels } from '../parts/objects/index.ts';
import { shortHashOf } from '../parts/weights/index.ts';
import type { Manifest } from '../workload.ts';
import { MOST_REMOVALS } from './elastic.ts';
import { queueLabels } from './gang.ts';
import { jobNameOf } from './names.ts';
import type { Named } from './names.ts';
import { inOneWay } from './one-way.ts';
import { ATTEMPT, KIND_LABEL, TEMPLATE_ANNOTATION } from './parts.ts';
import { podTemplateOf } from './pods.ts';
import type { Role } from './roles.ts';
import type { DistributedTrainingSpec } from './spec.ts';

/** Fields that are in no pod. */
const NOT_IN_PODS: ReadonlySet<string> = new Set([
  'suspend',
  'retry',
  'queue',
  'activeDeadlineSeconds',
  'ttlSecondsAfterFinished',
  'serviceAccount',
  'egress',
  'objective',
]);

/**
 * A hash of what of a spec its pods are made of. Of the spec, and not of the pods: a new release of Trunnion that makes
 * them otherwise must not stop a training that has run for days. Two ways to write one thing have one hash.
 */
export const templateHash = (spec: DistributedTrainingSpec): string => shortHashOf(inOneWay(podsPart(spec)));

/**
 * Whether a Job is made by this spec, by the hash that it carries. Earlier releases took the hash of the spec as it was
 * written: a Job of theirs runs on.
 */
export const isTemplateHash = (hash: string | undefined, spec: DistributedTrainingSpec): boolean =>
  hash === templateHash(spec) || hash === shortHashOf(podsPart(spec));

const podsPart = (spec: DistributedTrainingSpec): Readonly<Record<string, unknown>> => {
  const parts = Object.entries(spec).filter(
    ([field]) => !NOT_IN_PODS.has(field) && !(field === 'replicas' && spec.elastic),
  );
  const identity = identityLabels(spec.serviceAccount?.identity);
  return { ...(Object.fromEntries(parts) as object), ...(Object.keys(identity).length > 0 && { identity }) };
};

/**
 * The Job of a role. What it does by itself is what a static host needs: it starts a rank again that failed, and gives up
 * once one has failed too often; a pod that was preempted, drained or lost with its node is not counted. One that somebody
 * deleted is, where its program then ends with another code than 0, as torchrun does (Kubernetes 1.36, pkg/controller/job,
 * isPodFailed): an elastic training has room for these, or its Job would stop all other ranks.
 *
 * @param suspended - whether none of its pods may run
 */
export function job(training: Named & { readonly namespace: string }, role: Role, suspended: boolean): Manifest {
  const { name, namespace, spec, attempt, naming } = training;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobNameOf(training, role.name),
      namespace,
      labels: {
        ...namedLabels(labelsOf({ kind: KIND_LABEL, name, component: role.name }), naming),
        // Kueue would start a Job that is to stay suspended. One that is not suspended can't leave its queue.
        ...(suspended ? {} : queueLabels(spec)),
      },
      annotations: { [ATTEMPT]: String(attempt), [TEMPLATE_ANNOTATION]: templateHash(spec) },
    },
    spec: {
      completionMode: 'Indexed',
      completions: role.count,
      parallelism: role.count,
      backoffLimitPerIndex: spec.retry.limit + (spec.elastic ? MOST_REMOVALS : 0),
      maxFailedIndexes: 0,
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      },
      // Once the first rank is done, so is the training: one that never found a place must not keep it open.
      ...(spec.elastic && { successPolicy: { rules: [{ succeededIndexes: '0' }] } }),
      ...(spec.activeDeadlineSeconds !== undefined && { activeDeadlineSeconds: spec.activeDeadlineSeconds }),
      ...(suspended && { suspend: true }),
      template: podTemplateOf(training, role),
    },
  };
}
