import { expect } from 'vitest';
import type { ModelServingSpecInput, ModelServingStatus } from '../../../constructs/index.ts';
import type { KubeClient } from '../../../operator/kube/client.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/types.ts';
import { eventually } from './eventually.ts';

export const modelServingType: ResourceType = {
  group: 'trunnion.dev',
  version: 'v1alpha1',
  kind: 'ModelServing',
  plural: 'modelservings',
};

/** A spec whose weights a Job fetches, and that a cluster of simulated GPUs can run. */
export const servingSpec = {
  model: { uri: 's3://models/first/' },
  storage: { size: '10Gi', accessMode: 'ReadWriteMany' },
  engine: { type: 'vllm' },
  resources: { gpu: 1, cpu: '1', memory: '1Gi' },
  drain: { timeoutSeconds: 30 },
  replicas: 1,
} satisfies ModelServingSpecInput;

export type Serving = KubeObject & { readonly status?: ModelServingStatus };

/** One ModelServing of a test, and how it is doing. */
export class ServingUnderTest {
  readonly admin: KubeClient;
  readonly namespace: string;
  readonly name: string;

  constructor(admin: KubeClient, namespace: string, name = 'llama') {
    this.admin = admin;
    this.namespace = namespace;
    this.name = name;
  }

  /** Applies a spec as `kubectl apply --server-side` does. */
  async apply(spec: ModelServingSpecInput): Promise<void> {
    const metadata = { name: this.name, namespace: this.namespace };
    const body = { apiVersion: 'trunnion.dev/v1alpha1', kind: 'ModelServing', metadata, spec };
    await this.admin.apply(modelServingType, body, { fieldManager: 'kubectl', force: true });
  }

  async get(): Promise<Serving> {
    return this.admin.get(modelServingType, this);
  }

  async delete(): Promise<void> {
    await this.admin.delete(modelServingType, this);
  }

  /** Waits for a phase that speaks of the spec as it is now. */
  async reaches(phase: string, timeout = 60_000): Promise<Serving> {
    return this.shows((serving) => expect(serving.status?.phase).toBe(phase), timeout);
  }

  /** Waits until the status, which must be about the spec as it is now, meets expectations. */
  async shows(expectation: (serving: Serving) => void, timeout = 60_000): Promise<Serving> {
    return eventually(
      async () => {
        const serving = await this.get();
        expect(serving.status?.observedGeneration).toBe(serving.metadata.generation);
        expectation(serving);
        return serving;
      },
      { timeout },
    );
  }

  /** Waits for a condition's status and reason. */
  async says(type: string, status: string, reason: string, words?: RegExp): Promise<Serving> {
    return this.shows((serving) => {
      const condition = serving.status?.conditions?.find((one) => one.type === type);
      expect(condition).toMatchObject({ status, reason });
      if (words !== undefined) expect(condition?.message).toMatch(words);
    });
  }
}
