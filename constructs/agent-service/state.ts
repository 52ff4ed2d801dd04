import type { Labels } from '../parts/objects/index.ts';

/** A model that is served in the cluster, as far as an agent needs to know it. */
export interface ServedModel {
  /** The base URL of its API: `http://llama.models.svc:8000/v1`. */
  readonly baseUrl: string;
  /** The name that clients ask for. */
  readonly name: string;
  /** The labels of its pods, which are of the same namespace. */
  readonly selector: Labels;
  /** The port that its pods listen on. */
  readonly port: number;
}

/** What only time can tell: set by the operator, empty in static hosts. */
export interface AgentServiceState {
  /**
   * What `modelRef` leads to.
   *
   * @default - nothing yet: where the spec has a modelRef, there are no pods
   */
  readonly model?: ServedModel;
  /**
   * A hash of the Secrets and ConfigMaps that the pods refer to, given only once one of them has changed; it rolls the
   * pods.
   *
   * @default - no annotation on the pods
   */
  readonly referencesHash?: string;
}
