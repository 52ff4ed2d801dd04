import type { Volume, VolumeMount } from '../objects/index.ts';
import type { PodTemplatePatch } from '../pod/index.ts';
import type { WeightsInput } from './input.ts';
import { VOLUME_PATH } from './layout.ts';

/** What holds files that were written before the pod: certificates, settings. Other volumes are the server's to use. */
const FILES = ['configMap', 'secret', 'projected', 'downwardAPI'] as const;

/**
 * The user's mounts of the server that its fetch gets as well, at the same paths: files to read. None that lies in the
 * volume of the weights: it covers a file of the model, which the fetch writes and moves.
 *
 * @param own - the mounts that the fetch has, whose paths stay theirs
 */
export function serverFiles({ spec, server }: WeightsInput, own: readonly VolumeMount[]): readonly VolumeMount[] {
  const taken = new Set(own.map(({ mountPath }) => plain(mountPath)));
  const files = new Set(
    userVolumes(spec.podTemplate)
      .filter(isFiles)
      .map(({ name }) => name),
  );
  return (server?.volumeMounts ?? []).filter(
    ({ name, mountPath }) => files.has(name) && !taken.has(plain(mountPath)) && !isInVolume(mountPath),
  );
}

/** The volumes that the user adds to pods. */
export const userVolumes = (podTemplate: PodTemplatePatch | undefined): readonly Volume[] =>
  (podTemplate?.spec?.volumes ?? []) as readonly Volume[];

const isFiles = (volume: Volume): boolean => FILES.some((source) => source in volume);

const isInVolume = (path: string): boolean => `${plain(path)}/`.startsWith(`${VOLUME_PATH}/`);

/** A path in the one form that a container runtime makes of it. */
const plain = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
};
