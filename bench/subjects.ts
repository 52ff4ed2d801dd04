import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { App, Chart } from 'cdk8s';
import { type Manifest, ModelServing, type ModelServingSpecInput } from '../constructs/index.ts';
import { kinds } from '../operator/kinds/index.ts';
import type { KubeClient } from '../operator/kube/client.ts';
import { apiVersionOf, type ResourceType } from '../operator/kube/types.ts';
import { pooled } from './pool.ts';

/** How many requests each subject has under way at once. */
export const AT_ONCE = 10;

/** Nothing has to be waited for: the weights are on a volume that exists. */
export const spec: ModelServingSpecInput = {
  model: { uri: 'pvc://weights/llama' },
  engine: { type: 'vllm' },
  resources: { gpu: 0, cpu: '100m', memory: '64Mi' },
  replicas: 1,
};

export const nameOf = (index: number): string => `m${index}`;

/** The objects that the construct gives. */
export function objectsOf(name: string, namespace: string): readonly Manifest[] {
  const chart = new Chart(new App(), 'bench');
  return new ModelServing(chart, 'serving', { name, namespace, spec }).render().map(({ manifest }) => manifest);
}

function typeOf({ apiVersion, kind }: Manifest): ResourceType {
  const types = kinds.flatMap(({ childTypes }) => childTypes);
  const type = types.find((one) => apiVersionOf(one) === apiVersion && one.kind === kind);
  if (type === undefined) throw new Error(`${apiVersion} ${kind} is no child of any kind`);
  return type;
}

/** Writes all objects of `count` resources, and nothing else: as quick as it can be done. */
export async function runBare(client: KubeClient, namespace: string, count: number): Promise<void> {
  const objects = Array.from({ length: count }, (_, index) => objectsOf(nameOf(index), namespace));
  await pooled(count, AT_ONCE, async (index) => {
    for (const manifest of objects[index] ?? []) await client.create(typeOf(manifest), manifest);
  });
}

/** Writes `count` custom resources; the rest is the operator's. */
export async function createResources(client: KubeClient, namespace: string, count: number): Promise<void> {
  const [type] = kinds.map((kind) => kind.type);
  if (type === undefined) throw new Error('there is no kind');
  await pooled(count, AT_ONCE, (index) =>
    client.create(type, {
      apiVersion: apiVersionOf(type),
      kind: type.kind,
      metadata: { name: nameOf(index), namespace },
      spec,
    }),
  );
}

/** The operator, in a process of its own. */
export class OperatorProcess implements AsyncDisposable {
  readonly #process: ChildProcess;

  constructor(kubeconfig: string, namespace: string) {
    const command = new URL('../cli/main.ts', import.meta.url).pathname;
    const args = ['operator', '--kubeconfig', kubeconfig, '--namespace', namespace, '--port', '0'];
    this.#process = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error('the operator did not start');
    return pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGTERM');
    await once(this.#process, 'exit');
  }
}
