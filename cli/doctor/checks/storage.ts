import type { KubeObject } from '../../../operator/kube/index.ts';
import type { Check, Observed } from '../types.ts';

const about = 'Storage';
const DEFAULT = 'storageclass.kubernetes.io/is-default-class';

/**
 * Provisioners whose volumes several nodes can write, by a part of their names. A StorageClass does not tell; those of
 * the large clouds and of what is installed most often are known.
 */
const SHARED = [
  'nfs',
  'efs',
  'filestore',
  'file.csi.azure',
  'cephfs',
  'fsx',
  'lustre',
  'weka',
  'juicefs',
  'longhorn',
  'glusterfs',
  'beegfs',
  'vast',
  'netapp',
  'trident',
  'portworx',
  'manila',
];

interface StorageClass extends KubeObject {
  readonly provisioner: string;
}

/** Whether weights have somewhere to be. */
export function checkStorage({ storageClasses }: Observed): readonly Check[] {
  if (!storageClasses.known) {
    return [{ about, verdict: 'warn', found: 'storage classes can not be looked at', advice: storageClasses.because }];
  }
  const classes = storageClasses.value as readonly StorageClass[];
  if (classes.length === 0) {
    const advice =
      'Weights that are fetched need a volume. Install a storage driver with a StorageClass, or mount models that are there already: model.uri pvc://CLAIM/PATH.';
    return [{ about, verdict: 'fail', found: 'there is no storage class', advice }];
  }
  return [defaultClass(classes), sharedClass(classes)];
}

function defaultClass(classes: readonly StorageClass[]): Check {
  const defaults = classes
    .filter(({ metadata }) => metadata.annotations?.[DEFAULT] === 'true')
    .map(({ metadata }) => metadata.name);
  const [first, ...more] = defaults;
  if (first === undefined) {
    return {
      about,
      verdict: 'warn',
      found: 'no storage class is the default',
      advice: `Each spec has to name one: storage.storageClassName. Or annotate one with ${DEFAULT}=true.`,
    };
  }
  if (more.length > 0) {
    return {
      about,
      verdict: 'warn',
      found: `several storage classes are the default: ${defaults.join(', ')}`,
      advice: 'The youngest is taken. Take the annotation off all but one.',
    };
  }
  return { about, verdict: 'ok', found: `${first} is the default storage class` };
}

function sharedClass(classes: readonly StorageClass[]): Check {
  const shared = classes.filter(({ provisioner }) => SHARED.some((part) => provisioner.includes(part)));
  if (shared.length > 0) {
    return {
      about,
      verdict: 'ok',
      found: `${shared.map(({ metadata }) => metadata.name).join(', ')} can likely be mounted by several nodes`,
    };
  }
  const provisioners = [...new Set(classes.map(({ provisioner }) => provisioner))].join(', ');
  return {
    about,
    verdict: 'warn',
    found: `no storage class is known for volumes that several nodes can mount (${provisioners})`,
    advice:
      'More than one replica on one download needs storage.accessMode ReadWriteMany, and so a shared file system. If one of these has it, all is well: a StorageClass does not tell.',
  };
}
