import type { DistributedTrainingSpecInput } from '../../../constructs/distributed-training/spec.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { eventually } from './eventually.ts';
import { ours, ResourceUnderTest } from './resource.ts';

export const distributedTrainingType = ours('DistributedTraining', 'distributedtrainings');

/** What simulated pods do: see cluster/manifests/pod-step.jq. */
export const simulated = (annotations: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`sim.trunnion.dev/${name}`, value]));

/** A spec of two ranks that run until they are told to be done, and start again at once. */
export const trainingSpec = {
  framework: 'pytorch',
  image: 'pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime',
  command: ['torchrun', 'train.py'],
  replicas: 2,
  checkpoint: { uri: 's3://ml-checkpoints/resnet', graceSeconds: 1 },
  retry: { limit: 6, backoffSeconds: 1, maxBackoffSeconds: 2 },
  podTemplate: { metadata: { annotations: simulated({ 'delay-seconds': '600' }) } },
} satisfies DistributedTrainingSpecInput;

/** One DistributedTraining of a test, and how it is doing. */
export class TrainingUnderTest extends ResourceUnderTest<DistributedTrainingSpecInput, DistributedTrainingStatus> {
  constructor(admin: KubeClient, namespace: string, name = 'resnet') {
    super(admin, distributedTrainingType, namespace, name);
  }

  /** Its pods, in order of their ranks; of a role, where one is given. */
  async pods(role = 'worker'): Promise<readonly KubeObject[]> {
    const labelSelector = `app.kubernetes.io/instance=${this.name},app.kubernetes.io/component=${role}`;
    const { items } = await this.admin.list(TYPES.pod, { namespace: this.namespace, labelSelector });
    return items.toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  /** Has the simulated kubelet do something with a rank, once that has a pod. */
  async simulate(rank: number, annotations: Readonly<Record<string, string>>, role = 'worker'): Promise<void> {
    const pod = await eventually(async () => {
      const found = (await this.pods(role)).find((each) => rankOf(each) === rank);
      if (found === undefined) throw new Error(`rank ${rank} of role ${role} of ${this.name} has no pod`);
      return found;
    });
    await this.admin.patch(TYPES.pod, pod.metadata, { metadata: { annotations: simulated(annotations) } });
  }

  /** Has all ranks be done with their work. */
  async finish(): Promise<void> {
    for (const { metadata } of await this.pods()) {
      const annotations = simulated({ 'delay-seconds': '0' });
      await this.admin.patch(TYPES.pod, metadata, { metadata: { annotations } });
    }
  }
}

const rankOf = ({ metadata }: KubeObject): number =>
  Number(metadata.labels?.['batch.kubernetes.io/job-completion-index']);
