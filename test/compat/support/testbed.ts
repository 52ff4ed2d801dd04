import { onTestFinished } from 'vitest';
import { allKinds } from '../../../compat/kinds/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { apiVersionOf } from '../../../operator/kube/client/types.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/client/types.ts';
import { COLLECTED, eventually } from '../../cluster/support/eventually.ts';
import { letGoOfPolicies, testNamespace } from '../../cluster/support/namespace.ts';
import { startOperator } from '../../cluster/support/operator.ts';
import { deleteNamespace } from '../../support/namespace.ts';
import { Terminal } from './terminal.ts';

/** A type of an earlier operator. */
export const compat = (kind: string): ResourceType => {
  const type = allKinds.find((each) => each.type.kind === kind)?.type;
  if (!type) throw new Error(`nobody runs ${kind}`);
  return type;
};

/** A namespace by the name that a file gives, for one test. */
export async function namedNamespace(admin: KubeClient, name: string): Promise<void> {
  // That of the test before goes in the background.
  await eventually(() => admin.create(TYPES.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }), {
    timeout: 60_000,
  });
  onTestFinished(async () => {
    await deleteNamespace(admin, name);
    await letGoOfPolicies(admin, name);
  });
  await eventually(() => admin.get(TYPES.serviceAccount, { namespace: name, name: 'default' }));
}

/** The operator with all kinds, a namespace of the context, and a terminal in it. */
export async function setUp(admin: KubeClient): Promise<{ readonly terminal: Terminal; readonly namespace: string }> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, undefined, { kinds: allKinds, recheckMs: 500 });
  return { terminal: new Terminal(namespace), namespace };
}

/** A resource of an earlier operator, and how it is doing. */
export class CompatUnderTest {
  readonly #admin: KubeClient;
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;

  constructor(admin: KubeClient, kind: string, namespace: string, name: string) {
    this.#admin = admin;
    this.type = compat(kind);
    this.namespace = namespace;
    this.name = name;
  }

  get = (): Promise<KubeObject> => this.#admin.get(this.type, this);

  /** Waits until the status, about the spec as it is now, meets expectations. */
  async shows(expectation: (status: Readonly<Record<string, unknown>>) => void, timeout = 60_000): Promise<void> {
    await eventually(
      async () => {
        const { metadata, status = {} } = (await this.get()) as KubeObject & { status?: Record<string, unknown> };
        if (status['observedGeneration'] !== metadata.generation) throw new Error(`${this.name} is not looked at yet`);
        expectation(status);
      },
      { timeout },
    );
  }

  async patch(spec: object): Promise<void> {
    await this.#admin.patch(this.type, this, { apiVersion: apiVersionOf(this.type), kind: this.type.kind, spec });
  }

  async child(type: ResourceType, name = this.name): Promise<KubeObject | undefined> {
    return this.#admin.find(type, { namespace: this.namespace, name });
  }

  /** Waits until the resource and all of its children are gone. */
  async isGone(): Promise<void> {
    await eventually(async () => {
      if ((await this.#admin.find(this.type, this)) !== undefined) throw new Error(`${this.name} is still there`);
      for (const type of [TYPES.deployment, TYPES.service, TYPES.job, TYPES.configMap, TYPES.networkPolicy]) {
        const labelSelector = `app.kubernetes.io/instance=${this.name}`;
        const { items } = await this.#admin.list(type, { namespace: this.namespace, labelSelector });
        if (items.length > 0) throw new Error(`${items[0]?.metadata.name} is still there`);
      }
    }, COLLECTED);
  }
}

/**
 * The phases that a watch of `kubectl get` has shown, but for the failure to find a node while pods are held, and for
 * Pending, which is over where a pod is on its way before the first status is written.
 */
export const phasesIn = (watched: string): readonly string[] => [
  ...new Set(watched.match(/Downloading|Deploying|Running/g)),
];

/** The resource under test of a file. */
export const under = (admin: KubeClient, kind: string, namespace: string, name: string): CompatUnderTest =>
  new CompatUnderTest(admin, kind, namespace, name);
