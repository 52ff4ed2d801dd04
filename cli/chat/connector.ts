import type { Duplex } from 'node:stream';
import { ApiError, type ConnectionSource, type KubeClient, pathOf, TYPES } from '../../operator/kube/index.ts';
import type { Resource } from '../../operator/engine/api/index.ts';
import { CliError, describe } from '../errors.ts';
import { portForward } from '../kube/port-forward.ts';
import { lacksRight, readyPods, whyNoPod } from './pods.ts';
import type { Target } from './target.ts';

/** How long a refusal is looked into. */
const EXPLANATION_MS = 10_000;

/** Connects to a pod of a resource that is ready: the same as before, while it is there. */
export class Connector {
  readonly #client: KubeClient;
  readonly #connection: ConnectionSource;
  readonly #target: Target;
  readonly #resource: Resource;
  #pod: string | undefined;

  constructor(client: KubeClient, connection: ConnectionSource, target: Target, resource: Resource) {
    this.#client = client;
    this.#connection = connection;
    this.#target = target;
    this.#resource = resource;
  }

  /** The pod that was connected to last. */
  get pod(): string | undefined {
    return this.#pod;
  }

  /**
   * Makes a connection. A pod that ends between the look at it and the connection is replaced by another one.
   *
   * @throws CliError where no pod is ready, and where none of those that are can be reached
   */
  readonly connect = async (signal: AbortSignal): Promise<Duplex> => {
    const ready = await readyPods(this.#client, this.#target);
    const pods =
      this.#pod !== undefined && ready.includes(this.#pod) ? [this.#pod, ...without(ready, this.#pod)] : ready;
    let failure: CliError | undefined;
    for (const pod of pods) {
      try {
        const connection = await this.#connectTo(pod, signal);
        this.#pod = pod;
        return connection;
      } catch (error) {
        signal.throwIfAborted();
        failure ??= await this.#explained(pod, error);
      }
    }
    throw failure ?? new CliError(whyNoPod(this.#target, this.#resource));
  };

  async #connectTo(name: string, signal: AbortSignal): Promise<Duplex> {
    const { namespace, port } = this.#target;
    return portForward(await this.#connection.current(), { namespace, name }, port, signal);
  }

  /** A WebSocket that is refused tells no reason. The same request without one does: a right that is missing, or a kubelet that is away. */
  async #explained(name: string, error: unknown): Promise<CliError> {
    const path = `${pathOf(TYPES.pod, this.#target.namespace, name, 'portforward')}?ports=${this.#target.port}`;
    try {
      await this.#client.raw('GET', path, { retry: false, deadlineMs: EXPLANATION_MS });
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.status === 403) return lacksRight(refusal);
      if (refusal instanceof ApiError && refusal.status !== IS_ALLOWED) {
        return new CliError(`${describe(error)}: ${refusal.message}`);
      }
    }
    return new CliError(describe(error));
  }
}

/** It is allowed, and would have to be a WebSocket: "unable to upgrade: missing upgrade headers" or "Upgrade request required". */
const IS_ALLOWED = 400;

const without = (names: readonly string[], name: string): readonly string[] => names.filter((each) => each !== name);
