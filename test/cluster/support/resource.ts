import { expect } from 'vitest';
import { GROUP, VERSION } from '../../../constructs/schema/kind.ts';
import type { CommonStatus } from '../../../operator/engine/api/resource.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { apiVersionOf } from '../../../operator/kube/client/types.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/client/types.ts';
import { eventually } from './eventually.ts';

/** A type of our group. */
export const ours = (kind: string, plural: string): ResourceType => ({ group: GROUP, version: VERSION, kind, plural });

/** A custom resource of a test, and how it is doing. */
export class ResourceUnderTest<Spec, Status extends CommonStatus> {
  readonly admin: KubeClient;
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;

  constructor(admin: KubeClient, type: ResourceType, namespace: string, name: string) {
    this.admin = admin;
    this.type = type;
    this.namespace = namespace;
    this.name = name;
  }

  /** Applies a spec as `kubectl apply --server-side` does. */
  async apply(spec: Spec): Promise<void> {
    const metadata = { name: this.name, namespace: this.namespace };
    const body = { apiVersion: apiVersionOf(this.type), kind: this.type.kind, metadata, spec };
    await this.admin.apply(this.type, body, { fieldManager: 'kubectl', force: true });
  }

  async get(): Promise<Seen<Status>> {
    return this.admin.get(this.type, this);
  }

  async delete(): Promise<void> {
    await this.admin.delete(this.type, this);
  }

  /** Waits for a phase that is about the spec as it is now. */
  async reaches(phase: string, timeout = 60_000): Promise<Seen<Status>> {
    return this.shows((seen) => expect(seen.status?.phase).toBe(phase), timeout);
  }

  /** Waits until the status, which must be about the spec as it is now, meets expectations. */
  async shows(expectation: (seen: Seen<Status>) => void, timeout = 60_000): Promise<Seen<Status>> {
    return eventually(
      async () => {
        const seen = await this.get();
        expect(seen.status?.observedGeneration).toBe(seen.metadata.generation);
        expectation(seen);
        return seen;
      },
      { timeout },
    );
  }

  /** Waits for a condition's status and reason. */
  async hasCondition(type: string, status: string, reason: string, words?: RegExp): Promise<Seen<Status>> {
    return this.shows((seen) => {
      const condition = seen.status?.conditions?.find((one) => one.type === type);
      expect(condition).toMatchObject({ status, reason });
      if (words !== undefined) expect(condition?.message).toMatch(words);
    });
  }
}

/** A resource as the API server has it. */
export type Seen<Status> = KubeObject & { readonly status?: Status };
