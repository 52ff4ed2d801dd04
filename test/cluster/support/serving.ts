import type { ModelServingSpecInput, ModelServingStatus } from '../../../constructs/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { ApiError, isNotFound } from '../../../operator/kube/client/errors.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { ours, ResourceUnderTest } from './resource.ts';

export const modelServingType = ours('ModelServing', 'modelservings');

/** A spec whose weights a Job fetches, and that a cluster of simulated GPUs can run. */
export const servingSpec = {
  model: { uri: 's3://models/first/' },
  storage: { size: '10Gi', accessMode: 'ReadWriteMany' },
  engine: { type: 'vllm' },
  resources: { gpu: 1, cpu: '1', memory: '1Gi' },
  drain: { timeoutSeconds: 30 },
  replicas: 1,
} satisfies ModelServingSpecInput;

/** One ModelServing of a test, and how it is doing. */
export class ServingUnderTest extends ResourceUnderTest<ModelServingSpecInput, ModelServingStatus> {
  constructor(admin: KubeClient, namespace: string, name = 'llama') {
    super(admin, modelServingType, namespace, name);
  }
}

/**
 * Completes a fetch as the Job controller would: a spec may ask for storage, nodes or classes that this cluster
 * doesn't have, and its servers wait for their weights.
 */
export async function completeFetch(admin: KubeClient, job: KubeObject): Promise<void> {
  const { startTime, completionTime, uncountedTerminatedPods } = (job['status'] ?? {}) as {
    startTime?: string;
    completionTime?: string;
    uncountedTerminatedPods?: { succeeded?: readonly string[]; failed?: readonly string[] };
  };
  const { labels = {}, deletionTimestamp, resourceVersion } = job.metadata;
  if (labels['app.kubernetes.io/component'] !== 'fetcher' || deletionTimestamp !== undefined) return;
  if (startTime === undefined || completionTime !== undefined) return;
  // Its pod has ended by itself: the Job controller is about to say so, and lets nobody do it before.
  if (Object.values(uncountedTerminatedPods ?? {}).some((pods) => pods.length > 0)) return;
  const at = { lastProbeTime: startTime, lastTransitionTime: startTime };
  const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
    type,
    status: 'True',
    reason: 'CompletionsReached',
    message: '',
    ...at,
  }));
  const status = { completionTime: startTime, succeeded: 1, active: 0, ready: 0, terminating: 0, conditions };
  try {
    // On the very Job that was seen: of one that has changed, or is complete by now, there will be news.
    await admin.patch(TYPES.job, job.metadata, { metadata: { resourceVersion }, status }, { subresource: 'status' });
  } catch (error) {
    const isOther = error instanceof ApiError && error.status === 409;
    if (!isNotFound(error) && !isOther) throw error;
  }
}
