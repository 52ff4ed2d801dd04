import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { apply } from '../../../cli/kube/apply.ts';
import { parseManifests } from '../../../cli/manifests.ts';
import type { CommonStatus } from '../../../operator/engine/api/resource.ts';
import { kinds } from '../../../compat/kinds/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/client/types.ts';
import { COLLECTED, eventually } from '../../cluster/support/eventually.ts';

/** Resources of all kinds, what each comes to, and how many pods it then has. */
const SCENARIOS = [
  { file: 'model-serving.yaml', kind: 'ModelServing', phase: 'Running', pods: 1 },
  // Its autoscaler has found the least number by then.
  { file: 'agent-service.yaml', kind: 'AgentService', phase: 'Running', pods: 2 },
  { file: 'distributed-training.yaml', kind: 'DistributedTraining', phase: 'Completed', pods: 4 },
];

interface Scenario {
  readonly type: ResourceType;
  readonly name: string;
  readonly phase: string;
  readonly pods: number;
}

/** The examples of all kinds in a namespace. */
export class Scenarios {
  readonly #admin: KubeClient;
  readonly #namespace: string;
  #scenarios: readonly Scenario[] = [];

  constructor(admin: KubeClient, namespace: string) {
    this.#admin = admin;
    this.#namespace = namespace;
  }

  /** Applies them, and waits until each is what it is meant to become. */
  async begin(): Promise<void> {
    this.#scenarios = await Promise.all(SCENARIOS.map((scenario) => this.#apply(scenario)));
    await this.goOn();
  }

  /** Waits until each is (still, or again) what it is meant to become. */
  async goOn(): Promise<void> {
    for (const { type, name, phase, pods } of this.#scenarios) {
      await eventually(
        async () => {
          const labelSelector = `app.kubernetes.io/instance=${name}`;
          const { items } = await this.#admin.list(TYPES.pod, { namespace: this.#namespace, labelSelector });
          expect(items).toHaveLength(pods);
          const { status } = (await this.#admin.get(type, { namespace: this.#namespace, name })) as Resource;
          expect(`${type.kind} ${status?.phase}`).toBe(`${type.kind} ${phase}`);
        },
        { timeout: 90_000 },
      );
    }
  }

  /** Deletes them, and waits until they, their pods and the policies of these are gone. */
  async end(): Promise<void> {
    for (const { type, name } of this.#scenarios) await this.#admin.delete(type, { namespace: this.#namespace, name });
    await eventually(async () => expect(await this.#left()).toEqual([]), COLLECTED);
  }

  /** What tells whether a workload was touched: each Deployment and Job with its generation, each pod by its UID. */
  async workloads(): Promise<readonly string[]> {
    const titled = async (type: ResourceType, of: (object: KubeObject) => unknown) => {
      const { items } = await this.#admin.list(type, { namespace: this.#namespace, labelSelector: OURS });
      return items.map((object) => `${type.kind} ${object.metadata.name} ${String(of(object))}`);
    };
    const all = await Promise.all([
      titled(TYPES.deployment, ({ metadata }) => `${metadata.uid} ${metadata.generation}`),
      titled(TYPES.job, ({ metadata }) => `${metadata.uid} ${metadata.generation}`),
      titled(TYPES.pod, ({ metadata }) => metadata.uid),
    ]);
    return all.flat().sort();
  }

  async #apply({ file, kind, ...ends }: (typeof SCENARIOS)[number]): Promise<Scenario> {
    const [manifest] = parseManifests(readFileSync(join('examples', file), 'utf8'), file);
    const found = kinds.find(({ type }) => type.kind === kind);
    if (manifest === undefined || found === undefined) throw new Error(`${file} has no ${kind}`);
    await apply(this.#admin, manifest, this.#namespace);
    return { type: found.type, name: manifest.metadata.name, ...ends };
  }

  async #left(): Promise<readonly string[]> {
    const where = { namespace: this.#namespace };
    const lists = [
      ...this.#scenarios.map(({ type }) => this.#admin.list(type, where)),
      this.#admin.list(TYPES.pod, { ...where, labelSelector: OURS }),
      // The operator lets go of them when their pods have stopped.
      this.#admin.list(TYPES.networkPolicy, { ...where, labelSelector: OURS }),
    ];
    return (await Promise.all(lists)).flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
  }
}

/** What runs workloads, and not the operator itself. */
const OURS = 'app.kubernetes.io/part-of=trunnion,app.kubernetes.io/name!=trunnion-operator';

interface Resource extends KubeObject {
  readonly status?: CommonStatus;
}
