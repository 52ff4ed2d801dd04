import { NODE_NAME } from './layout.ts';

/** What makes the volumes of the class `local`, as claims and volumes name it. */
export const PROVISIONER = 'trunnion.dev/local';
export const STORAGE_CLASS = 'local';

/** The default class of a cluster with a real node: a volume is made where its first pod is placed. */
export const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: STORAGE_CLASS, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: PROVISIONER,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'WaitForFirstConsumer',
};

/** A PersistentVolumeClaim, as far as it is looked at. */
export interface Claim {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly accessModes: readonly string[];
    readonly volumeMode?: string;
    readonly resources: { readonly requests: { readonly storage: string } };
  };
}

/** A PersistentVolume, as far as it is looked at. */
export interface Volume {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly local?: { readonly path: string }; readonly persistentVolumeReclaimPolicy?: string };
  readonly status?: { readonly phase?: string };
}

/** A volume to make. */
export interface VolumeToMake {
  readonly name: string;
  /** The folder to make, where the node is this one. */
  readonly folder?: string;
  readonly manifest: object;
}

/**
 * The volumes that claims wait for, once the scheduler has chosen their node. They are of type `local`: those get the group of
 * their pods (`fsGroup`), which the kubelet doesn't give to hostPath volumes.
 *
 * @param folder - the folder of all volumes
 */
export function volumesToMake(claims: readonly Claim[], folder: string): readonly VolumeToMake[] {
  return claims.flatMap((claim) => {
    const { metadata, spec } = claim;
    const node = metadata.annotations?.['volume.kubernetes.io/selected-node'];
    const isOurs = spec.storageClassName === STORAGE_CLASS && spec.volumeMode !== 'Block';
    if (!isOurs || node === undefined || spec.volumeName !== undefined || metadata.deletionTimestamp !== undefined) {
      return [];
    }
    const name = `pvc-${metadata.uid}`;
    const path = `${folder}/${name}`;
    return [{ name, ...(node === NODE_NAME ? { folder: path } : {}), manifest: manifestOf(claim, name, node, path) }];
  });
}

const manifestOf = ({ metadata, spec }: Claim, name: string, node: string, path: string): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': PROVISIONER } },
  spec: {
    accessModes: spec.accessModes,
    capacity: { storage: spec.resources.requests.storage },
    persistentVolumeReclaimPolicy: 'Delete',
    storageClassName: STORAGE_CLASS,
    local: { path },
    claimRef: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      namespace: metadata.namespace,
      name: metadata.name,
      uid: metadata.uid,
    },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] }],
      },
    },
  },
});

/** The volumes whose claims are gone, and which nobody wants to keep. */
export const volumesToRemove = (volumes: readonly Volume[]): readonly Volume[] =>
  volumes.filter(
    ({ metadata, spec, status }) =>
      metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === PROVISIONER &&
      spec.persistentVolumeReclaimPolicy === 'Delete' &&
      status?.phase === 'Released',
  );
