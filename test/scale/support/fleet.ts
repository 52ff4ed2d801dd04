import { pooled } from '../../../bench/pool.ts';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { apiVersionOf } from '../../../operator/kube/client/types.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { modelServingType } from '../../cluster/support/serving.ts';

/** All children that a ModelServing has at least, and no pod. */
export const spec = {
  model: { uri: 'pvc://weights/llama' },
  engine: { type: 'vllm' },
  resources: { gpu: 0, cpu: '100m', memory: '64Mi' },
  replicas: 0,
} satisfies ModelServingSpecInput;

const AT_ONCE = 20;

interface State {
  readonly metadata: { readonly name: string; readonly generation?: number };
  readonly status?: { readonly observedGeneration?: number };
}

/** Many ModelServings in one namespace. */
export class Fleet {
  readonly #admin: KubeClient;
  readonly namespace: string;
  #edits = 0;

  constructor(admin: KubeClient, namespace: string) {
    this.#admin = admin;
    this.namespace = namespace;
  }

  async create(names: readonly string[]): Promise<void> {
    await pooled(names.length, AT_ONCE, (index) => this.#apply(names[index] ?? '', spec));
  }

  async delete(names: readonly string[]): Promise<void> {
    await pooled(names.length, AT_ONCE, (index) =>
      this.#admin.delete(modelServingType, { namespace: this.namespace, name: names[index] ?? '' }),
    );
  }

  /**
   * Edits one as a user does, and waits until the operator has dealt with it.
   *
   * @returns how long that took, in milliseconds
   */
  async edit(name: string, timeout = 60_000): Promise<number> {
    this.#edits += 1;
    const began = performance.now();
    const annotations = { 'eks.amazonaws.com/token-expiration': `${this.#edits}` };
    await this.#apply(name, { ...spec, serviceAccount: { annotations } });
    await eventually(async () => this.#mustBeSeen(await this.#get(name)), { timeout });
    return performance.now() - began;
  }

  /** Waits until the operator has dealt with all of them. */
  async settled(timeout: number): Promise<void> {
    await eventually(
      async () => {
        let next: string | undefined;
        do {
          const page = await this.#admin.list(modelServingType, {
            namespace: this.namespace,
            limit: 500,
            ...(next !== undefined && { continue: next }),
          });
          for (const item of page.items) this.#mustBeSeen(item);
          next = page.metadata.continue;
        } while (next !== undefined && next !== '');
      },
      { timeout },
    );
  }

  /** Waits until the API server lets them be watched: one that has just started has to read them all first. */
  async watchable(): Promise<void> {
    const query = { resourceVersion: '0', timeoutSeconds: 1 };
    const watch = new AbortController();
    await eventually(() => this.#admin.watch(modelServingType, this.namespace, query, watch.signal), {
      timeout: 60_000,
    });
    watch.abort();
  }

  /** How many there are. */
  async count(): Promise<number> {
    const page = await this.#admin.list(modelServingType, { namespace: this.namespace });
    return page.items.length;
  }

  async #get(name: string): Promise<State> {
    return this.#admin.get(modelServingType, { namespace: this.namespace, name });
  }

  #mustBeSeen({ metadata, status }: State): void {
    if (status?.observedGeneration !== metadata.generation) throw new Error(`${metadata.name} was not dealt with`);
  }

  async #apply(name: string, wanted: ModelServingSpecInput): Promise<void> {
    const metadata = { namespace: this.namespace, name };
    const body = { apiVersion: apiVersionOf(modelServingType), kind: modelServingType.kind, metadata, spec: wanted };
    await this.#admin.apply(modelServingType, body, { fieldManager: 'kubectl', force: true });
  }
}
