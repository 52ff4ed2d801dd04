import { EventEmitter, once } from 'node:events';
import type { Kind } from '../../operator/engine/api/kind.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { Reflector } from '../../operator/kube/cache/reflector.ts';
import { Store } from '../../operator/kube/cache/store.ts';
import type { KubeObject, ResourceType } from '../../operator/kube/client/types.ts';
import { typed } from '../cluster/support/parity.ts';
import { completeFetch } from '../cluster/support/serving.ts';

/** How long a reader rests where nobody tells of a change, in milliseconds: a wait might depend on time alone. */
const REST_MS = 1000;

/** What the operator puts on all that it makes. */
const MANAGED = 'app.kubernetes.io/managed-by=trunnion';

const nameOf = ({ group, kind }: ResourceType): string => `${group}/${kind}`;

/** Resources and their children as the API server has them, for many readers at once. */
export class Watcher implements AsyncDisposable {
  readonly #reflectors: ReadonlyMap<string, Reflector<KubeObject>>;
  readonly #changes = new EventEmitter().setMaxListeners(0);

  private constructor(admin: KubeClient, kinds: readonly Kind[]) {
    // A type may be that of resources and of children: of those, all are watched.
    const selectors = new Map<string, readonly [ResourceType, string | undefined]>([
      ...kinds.flatMap(({ childTypes }) => childTypes).map((type) => [nameOf(type), [type, MANAGED] as const] as const),
      ...kinds.map(({ type }) => [nameOf(type), [type, undefined] as const] as const),
    ]);
    this.#reflectors = new Map(
      [...selectors].map(([name, [type, selector]]) => [name, this.#reflect(admin, type, selector)]),
    );
  }

  /** @returns once it has all that there is */
  static async open(admin: KubeClient, kinds: readonly Kind[]): Promise<Watcher> {
    const watcher = new Watcher(admin, kinds);
    await Promise.all([...watcher.#reflectors.values()].map(({ synced }) => synced));
    return watcher;
  }

  resource({ type }: Kind, namespace: string, name: string): KubeObject | undefined {
    return this.#reflectors.get(nameOf(type))?.store.get(`${namespace}/${name}`);
  }

  /** What the operator has made for a resource and not begun to delete. */
  children({ childTypes, label }: Kind, namespace: string, name: string): readonly KubeObject[] {
    return childTypes.flatMap((type) =>
      (this.#reflectors.get(nameOf(type))?.store.byIndex('of', `${namespace}/${label}/${name}`) ?? [])
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map((object) => typed(object, type)),
    );
  }

  /** Waits for a change in a namespace. */
  async changed(namespace: string): Promise<void> {
    try {
      await once(this.#changes, namespace, { signal: AbortSignal.timeout(REST_MS) });
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#reflectors.values()].map((reflector) => reflector.stop()));
  }

  #reflect(admin: KubeClient, type: ResourceType, labelSelector?: string): Reflector<KubeObject> {
    const store = new Store<KubeObject>({ transform: (object) => object, indexers: { of: ofWhom } });
    const reflector = new Reflector<KubeObject>({
      client: admin,
      type,
      store,
      ...(labelSelector !== undefined && { labelSelector }),
    });
    reflector.onChange((change) => {
      if (type.kind === 'Job' && change.type !== 'deleted') void completeFetch(admin, change.value);
      this.#changes.emit(change.key.split('/')[0] ?? '');
    });
    reflector.start();
    return reflector;
  }
}

const ofWhom = ({ metadata: { namespace, labels = {} } }: KubeObject): readonly string[] =>
  labels['app.kubernetes.io/managed-by'] === 'trunnion'
    ? [`${namespace}/${labels['app.kubernetes.io/name']}/${labels['app.kubernetes.io/instance']}`]
    : [];
