import { setTimeout as sleep } from 'node:timers/promises';
import { Reflector, Store } from '../operator/kube/index.ts';
import type { KubeClient, KubeObject, ResourceType } from '../operator/kube/index.ts';

/** Between two looks at what a watch has told, in milliseconds. */
export const OBSERVE_MS = 20;

/**
 * Sees which objects of a namespace are ready, by a watch. To list them again and again would cost the server the more the
 * longer a subject takes.
 */
export class Observer implements AsyncDisposable {
  readonly #namespace: string;
  readonly #reflector: Reflector<boolean>;

  private constructor(namespace: string, reflector: Reflector<boolean>) {
    this.#namespace = namespace;
    this.#reflector = reflector;
  }

  static async of(
    client: KubeClient,
    type: ResourceType,
    namespace: string,
    isReady: (object: KubeObject) => boolean,
  ): Promise<Observer> {
    const reflector = new Reflector({ client, type, namespace, store: new Store({ transform: isReady }) });
    reflector.start();
    await reflector.synced;
    return new Observer(namespace, reflector);
  }

  /** Whether the object of this name is ready now. */
  isReady(name: string): boolean {
    return this.#reflector.store.get(`${this.#namespace}/${name}`) === true;
  }

  /** Waits until so many are ready. */
  async reached(count: number): Promise<void> {
    while ([...this.#reflector.store.values()].filter(Boolean).length < count) await sleep(OBSERVE_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reflector.stop();
  }
}
