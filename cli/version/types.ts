/** An answer, or why there is none. */
export type Asked<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly because: string };

/** The kinds that are served under one version. */
export interface ServedKinds {
  /** `trunnion.dev/v1alpha1` */
  readonly groupVersion: string;
  readonly kinds: readonly string[];
}

/** The operator as its Deployment says it. */
export interface Operator {
  readonly namespace: string;
  readonly image: string;
  /** The tag of the image, where that is the version of a release. */
  readonly version?: string;
  readonly ready: number;
  readonly replicas: number;
}

/** What a cluster has. */
export interface ClusterVersions {
  readonly kubernetes: string;
  readonly crds: readonly ServedKinds[];
  readonly operator: Asked<Operator | undefined>;
}

/** All versions that there are. */
export interface Versions {
  /** Of this program. */
  readonly client: string;
  /** Absent where only the client was asked for. */
  readonly cluster?: Asked<ClusterVersions>;
}
