import type { ModelServingSpec } from './spec.ts';

/** What only time can tell: set by the operator, empty in static hosts. */
export interface ModelServingState {
  /**
   * The earlier spec whose pods serve while the weights of the present one are fetched. The volumes of both are kept.
   * On a shared volume the pods stay those of the earlier spec, and all that is not of pods follows the present one.
   * On a volume that one node mounts, where the new pod fetches by itself, the Deployment rolls with a surge.
   * While it drains, the pods stay those of the earlier spec in any case; so do groups of pods, of which one is just replaced.
   *
   * @default - the pods are those of the spec
   */
  readonly serving?: ModelServingSpec;
  /**
   * The earlier spec whose servers stay until those of the present one answer, where a replica was one pod and is several now,
   * or the other way round: one object can't turn into the other.
   *
   * @default - none: there is one kind of replica
   */
  readonly standing?: ModelServingSpec;
  /**
   * - `draining`: out of the Service, no longer scaled and exposed; the pods stay
   * - `retired`: only the ServiceAccount and the weights stay, so that it can come back without a download
   *
   * @default 'serving'
   */
  readonly lifecycle?: 'serving' | 'draining' | 'retired';
  /**
   * Whether the servers may reach what their own fetch needs, where it is they who fetch (a ReadWriteOnce volume). Nobody
   * in a static host sees when a fetch is over, so there it stays open.
   *
   * @default 'open'
   */
  readonly fetchEgress?: 'open' | 'closed';
  /**
   * What was pinned when it was first chosen, so that a newer operator restarts nothing. What the spec names wins.
   *
   * @default - the images that this release pins
   */
  readonly images?: {
    readonly engine?: string;
    readonly fetcher?: string;
    /** Whether the image of the fetcher has the program in it, so that no ConfigMap brings it. */
    readonly isFetcherBuiltIn?: boolean;
  };
  /**
   * A hash of the Secrets and ConfigMaps that the pods refer to, given only once one of them has changed; it rolls the
   * pods.
   *
   * @default - no annotation on the pods
   */
  readonly referencesHash?: string;
}
