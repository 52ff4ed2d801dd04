import type { Volume, VolumeMount } from '../objects/index.ts';
import type { Manifest } from '../../workload.ts';
import { labelsOf } from '../objects/index.ts';
import { literal, canonicalQuantity } from '../values/index.ts';
import { FETCHER_SCRIPTS } from './fetcher.generated.ts';
import type { WeightsInput } from './input.ts';
import { weightsKey } from './key.ts';
import type { FetchedModel } from './key.ts';
import { VOLUME_PATH, WEIGHTS_FOLDER } from './layout.ts';
import { RETENTION } from './retention.ts';
import { isFetched, parseModelUri } from './uri.ts';

/** The volume of a pod that holds the weights. */
export const WEIGHTS_VOLUME = 'weights';
/** The volume of a pod that holds the fetcher. */
export const SCRIPT_VOLUME = 'fetcher';
/** Where the fetcher is mounted, and its file there. */
export const SCRIPT_PATH = '/opt/trunnion';
export const SCRIPT_FILE = 'fetch.mjs';

const FOLDER = `${VOLUME_PATH}/${WEIGHTS_FOLDER}`;

type Named = Pick<WeightsInput, 'name' | 'spec'>;

/** The name of the claim that a model's weights are fetched onto. */
export const weightsClaimName = ({ name, spec }: Named): string => `${name}-weights-${weightsKey(spec.model)}`;

/** The name of the ConfigMap that carries the fetcher. */
export const fetcherScriptName = ({ name }: Pick<WeightsInput, 'name'>): string => `${name}-fetcher`;

/**
 * Where the server finds the model, as arguments and variables of a container say it. The same folder whatever the weights
 * come from; the file itself where the spec names one, or the URI is of one GGUF file, since engines take such a file and not
 * its folder.
 */
export function weightsPath({ uri, file }: FetchedModel): string {
  if (file !== undefined) return `${FOLDER}/${literal(file)}`;
  const parsed = parseModelUri(uri);
  return parsed.scheme === 'https' && /\.gguf$/i.test(parsed.fileName)
    ? `${FOLDER}/${literal(parsed.fileName)}`
    : FOLDER;
}

/** The volumes of a pod that uses the weights, the fetcher's script included where a ConfigMap brings it. */
export function weightsVolumes(input: WeightsInput): readonly Volume[] {
  const uri = parseModelUri(input.spec.model.uri);
  if (uri.scheme === 'oci') return [{ name: WEIGHTS_VOLUME, image: { reference: uri.reference } }];
  if (uri.scheme === 'pvc') {
    return [{ name: WEIGHTS_VOLUME, persistentVolumeClaim: { claimName: uri.claim, readOnly: true } }];
  }
  return [
    { name: WEIGHTS_VOLUME, persistentVolumeClaim: { claimName: weightsClaimName(input) } },
    ...(input.program?.isBuiltIn === true
      ? []
      : [{ name: SCRIPT_VOLUME, configMap: { name: fetcherScriptName(input) } }]),
  ];
}

/** How the server mounts the weights: read-only, at {@link weightsPath}. */
export function weightsMounts(uri: string): readonly VolumeMount[] {
  const parsed = parseModelUri(uri);
  const mount = { name: WEIGHTS_VOLUME, mountPath: isFetched(parsed) ? VOLUME_PATH : FOLDER, readOnly: true };
  return [parsed.scheme === 'pvc' && parsed.path !== '' ? { ...mount, subPath: parsed.path } : mount];
}

/**
 * The claim that a model's weights are fetched onto.
 *
 * @throws Error where the spec has no storage
 */
export function weightsClaim(input: WeightsInput): Manifest {
  const { namespace, spec } = input;
  if (!spec.storage) throw new Error(`spec.storage is required for weights that are fetched (${spec.model.uri})`);
  const { size, storageClassName, accessMode, retain = false } = spec.storage;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: weightsClaimName(input),
      namespace,
      labels: fetcherLabels(input),
      ...(retain && { annotations: RETENTION }),
    },
    spec: {
      accessModes: [accessMode],
      resources: { requests: { storage: canonicalQuantity(size) } },
      ...(storageClassName !== undefined && { storageClassName }),
    },
  };
}

/**
 * The ConfigMap that carries the fetcher: the program for the scheme of the model. What comes with a model has its scheme, or
 * is of https, which each program knows.
 *
 * @throws Error where the weights are not fetched
 */
export function fetcherScript(input: WeightsInput): Manifest {
  const uri = parseModelUri(input.spec.model.uri);
  if (!isFetched(uri)) throw new Error(`the weights are not fetched (${input.spec.model.uri})`);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: fetcherScriptName(input), namespace: input.namespace, labels: fetcherLabels(input) },
    data: { [SCRIPT_FILE]: FETCHER_SCRIPTS[uri.scheme] },
  };
}

/** The labels of the fetcher's objects and pods. */
export const fetcherLabels = ({ kind, name }: Pick<WeightsInput, 'kind' | 'name'>): Readonly<Record<string, string>> =>
  labelsOf({ kind, name, component: 'fetcher' });
