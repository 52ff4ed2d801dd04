import type { ModelServingSpecInput, ModelServingStatus } from '../../../constructs/index.ts';
import type { KubeClient } from '../../../operator/kube/client.ts';
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
