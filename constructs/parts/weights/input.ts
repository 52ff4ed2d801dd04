import type { EnvVar, PodSpec } from '../kube.ts';

/** What of a spec is about weights; that of a ModelServing is one. */
export interface WeightsSpec extends Pick<
  PodSpec,
  'imagePullSecrets' | 'nodeSelector' | 'tolerations' | 'priorityClassName'
> {
  readonly model: { readonly uri: string; readonly credentials?: { readonly secretName: string } };
  /** Of the volume that is made for the weights; not for `pvc://` and `oci://`. */
  readonly storage?: {
    readonly size: string | number;
    readonly storageClassName?: string;
    readonly accessMode: 'ReadWriteOnce' | 'ReadWriteMany' | 'ReadOnlyMany';
  };
  /** Variables of the fetcher as well: proxies, mirrors. They win over what comes from the Secret. */
  readonly env?: readonly EnvVar[];
  readonly serviceAccount?: { readonly annotations?: Readonly<Record<string, string>> };
}

/** A workload with weights. */
export interface WeightsInput {
  /** The kind, as `app.kubernetes.io/name` has it. */
  readonly kind: string;
  /** The name of the resource. */
  readonly name: string;
  readonly namespace: string;
  readonly spec: WeightsSpec;
  /**
   * The image that runs the fetcher.
   *
   * @default FETCHER_IMAGE
   */
  readonly image?: string | undefined;
}
