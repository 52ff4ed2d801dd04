import type { Container, VolumeMount } from '../objects/index.ts';
import { HOME_MOUNTS } from '../pod/index.ts';
import { commonVariables, fetchVariables } from './environment.ts';
import { serverFiles } from './equipment.ts';
import { BUILT_IN_FETCHER, FETCHER_IMAGE } from './image.ts';
import type { WeightsInput } from './input.ts';
import { FETCH, VOLUME_PATH } from './layout.ts';
import { fetcherResources } from './resources.ts';
import type { Where } from './resources.ts';
import { SCRIPT_FILE, SCRIPT_PATH, SCRIPT_VOLUME, WEIGHTS_VOLUME } from './volumes.ts';

/** The name of the container that waits for the fetch Job. */
export const WAIT = 'wait';

/**
 * Brings the weights onto the volume: the container of the fetch Job, and the server's init container on a volume that
 * only one node may mount. Its pod needs `weightsVolumes`, the volumes of `HOME_MOUNTS`, those that the user adds, and an
 * fsGroup.
 *
 * @param where - the pod that it is in
 */
export function fetchContainer(input: WeightsInput, where: Where): Container {
  const container = fetcher(input, FETCH, where);
  const own = container.volumeMounts ?? [];
  return { ...container, env: fetchVariables(input), volumeMounts: [...own, ...serverFiles(input, own)] };
}

/** Waits until the fetch Job has brought the weights: the server's init container on a shared volume. */
export const waitContainer = (input: WeightsInput): Container => ({
  ...fetcher(input, WAIT, 'server'),
  env: commonVariables(input, WAIT),
});

/** What both have in common; the container's name says what it does. */
function fetcher(input: WeightsInput, mode: typeof FETCH | typeof WAIT, where: Where): Container {
  const { program } = input;
  const isBuiltIn = program?.isBuiltIn === true;
  const weights: VolumeMount = { name: WEIGHTS_VOLUME, mountPath: VOLUME_PATH };
  return {
    name: mode,
    image: program?.image ?? FETCHER_IMAGE,
    command: ['node', isBuiltIn ? BUILT_IN_FETCHER : `${SCRIPT_PATH}/${SCRIPT_FILE}`],
    resources: fetcherResources(input, where),
    // The fetcher leaves its last word in the file; an image that can't run it leaves only a log.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      mode === WAIT ? { ...weights, readOnly: true } : weights,
      ...(isBuiltIn ? [] : [{ name: SCRIPT_VOLUME, mountPath: SCRIPT_PATH, readOnly: true }]),
      ...HOME_MOUNTS,
    ],
  };
}
