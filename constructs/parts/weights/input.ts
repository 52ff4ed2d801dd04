import type { AccessMode } from './access-mode.ts';
import type { BaseResources, Resources, Security, PodTemplatePatch } from '../pod/index.ts';
import type { IdentityProvider, EnvVar, PodSpec, ResourceRequirements, VolumeMount } from '../objects/index.ts';
import type { FetcherProgram } from './image.ts';
import type { FetchedModel } from './key.ts';

/** What of a spec is about weights, and about where pods run; that of a ModelServing is one. */
export interface WeightsSpec extends Pick<
  PodSpec,
  'imagePullSecrets' | 'nodeSelector' | 'tolerations' | 'priorityClassName' | 'runtimeClassName'
> {
  readonly model: FetchedModel & { readonly credentials?: { readonly secretName: string } };
  /** Of the volume that is made for the weights; not for `pvc://` and `oci://`. */
  readonly storage?: {
    readonly size: string | number;
    readonly storageClassName?: string;
    readonly accessMode: AccessMode;
    /** Whether it outlives the workload. */
    readonly retain?: boolean;
  };
  /** Variables of the fetcher as well: proxies, mirrors. They win over what comes from the Secret. */
  readonly env?: readonly EnvVar[];
  readonly serviceAccount?: {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly identity?: IdentityProvider;
  };
  /** What the server asks for: a fetch runs on nodes that have it, and asks for none of it. */
  readonly resources?: Resources;
  readonly podTemplate?: PodTemplatePatch;
  /** As whom the server runs. */
  readonly security?: Security | undefined;
  readonly fetcher?: { readonly resources?: BaseResources };
}

/** What a server has that its fetch may need: it reaches the same network, under the same rules of the namespace. */
export interface Equipment {
  /**
   * The variables that Trunnion sets in the server, which come first: the user's may refer to them.
   *
   * @default - none
   */
  readonly ours?: readonly EnvVar[];
  /** The user's variables of the server alone. */
  readonly env: readonly EnvVar[];
  /** What the user has mounted into the server. */
  readonly volumeMounts: readonly VolumeMount[];
  readonly resources: ResourceRequirements;
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
   * What fetches.
   *
   * @default - FETCHER_IMAGE, with the program from a ConfigMap
   */
  readonly program?: FetcherProgram | undefined;
  /**
   * Whether the server may find a model in GGUF in the folder that it is given.
   *
   * @default false
   */
  readonly takesFolderOfGguf?: boolean | undefined;
  /**
   * What the server has.
   *
   * @default - nothing of its own
   */
  readonly server?: Equipment | undefined;
}
