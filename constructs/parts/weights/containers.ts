import type { Container, EnvVar, VolumeMount } from '../kube.ts';
import { HOME_ENV, HOME_MOUNTS } from '../pod-security.ts';
import { CREDENTIALS, variablesOf } from './credentials.ts';
import { usesGoogleMetadata } from './egress.ts';
import { FETCHER_IMAGE } from './image.ts';
import type { WeightsInput, WeightsSpec } from './input.ts';
import { VOLUME_PATH } from './layout.ts';
import { parseModelUri } from './uri.ts';
import { SCRIPT_FILE, SCRIPT_PATH, SCRIPT_VOLUME, WEIGHTS_VOLUME } from './volumes.ts';

/** Its hashing takes a core at about 10 Gbit/s; its memory does not grow with the model. */
const RESOURCES = { requests: { cpu: '500m', memory: '256Mi' }, limits: { cpu: '4', memory: '1Gi' } };

/**
 * Brings the weights onto the volume: the container of the fetch Job, and the server's init container on a volume that
 * only one node may mount. Its pod needs `weightsVolumes`, the volumes of `HOME_MOUNTS`, and an fsGroup.
 */
export const fetchContainer = (input: WeightsInput): Container => ({
  ...fetcher(input, 'fetch'),
  env: merged(
    [
      ...environment(input, 'fetch'),
      ...credentialVariables(input.spec),
      // Node.js goes by HTTPS_PROXY and its like only where it is told to.
      { name: 'NODE_USE_ENV_PROXY', value: '1' },
    ],
    input.spec.env ?? [],
  ),
});

/** Waits until the fetch Job has brought the weights: the server's init container on a shared volume. */
export const waitContainer = (input: WeightsInput): Container => ({
  ...fetcher(input, 'wait'),
  env: environment(input, 'wait'),
});

/** What both have in common; the container's name says what it does. */
function fetcher({ image = FETCHER_IMAGE }: WeightsInput, mode: 'fetch' | 'wait'): Container {
  const weights: VolumeMount = { name: WEIGHTS_VOLUME, mountPath: VOLUME_PATH };
  return {
    name: mode,
    image,
    command: ['node', `${SCRIPT_PATH}/${SCRIPT_FILE}`],
    resources: RESOURCES,
    // The fetcher leaves its last word in the file; an image that can't run it leaves only a log.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      mode === 'wait' ? { ...weights, readOnly: true } : weights,
      { name: SCRIPT_VOLUME, mountPath: SCRIPT_PATH, readOnly: true },
      ...HOME_MOUNTS,
    ],
  };
}

const environment = ({ spec }: WeightsInput, mode: 'fetch' | 'wait'): EnvVar[] => [
  ...HOME_ENV,
  { name: 'TRUNNION_MODE', value: mode },
  { name: 'TRUNNION_URI', value: spec.model.uri },
  { name: 'TRUNNION_POD', valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } },
  ...(mode === 'fetch' && usesGoogleMetadata(spec) ? [{ name: 'TRUNNION_WORKLOAD_IDENTITY', value: 'true' }] : []),
];

/** The keys of the Secret that the scheme knows, each under its variable; none is required. */
function credentialVariables({ model }: WeightsSpec): EnvVar[] {
  const uri = parseModelUri(model.uri);
  const { credentials } = model;
  if (!credentials || uri.scheme === 'oci' || uri.scheme === 'pvc') return [];
  return CREDENTIALS[uri.scheme].flatMap(variablesOf).map(({ variable, key }) => ({
    name: variable,
    valueFrom: { secretKeyRef: { name: credentials.secretName, key, optional: true } },
  }));
}

/** A list of variables with others over it: a name may occur once only. */
const merged = (variables: readonly EnvVar[], over: readonly EnvVar[]): EnvVar[] => [
  ...variables.filter(({ name }) => !over.some((other) => other.name === name)),
  ...over,
];
