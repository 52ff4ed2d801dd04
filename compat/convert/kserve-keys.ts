import { reported } from './fates.ts';
import type { Fates } from './fates.ts';

const ACCOUNT = reported(
  'a ServiceAccount of its own is made, with rights by serviceAccount.annotations or a RoleBinding; its Secrets for the download go to model.credentials',
);

/** KServe reads the credentials of a download from Secrets of the ServiceAccount. */
export const ACCOUNT_FATES: Fates = { serviceAccountName: ACCOUNT, serviceAccount: ACCOUNT };

/** Labels and annotations that only KServe and Knative read (kserve v0.20.0, pkg/constants/constants.go). */
export const KSERVE_KEYS: Readonly<Record<string, string>> = {
  'serving.kserve.io/exp-dra-':
    'devices by DRA are not known here, and resources.gpu does not count them: give gpu and gpuResource of a device plugin',
  'serving.kserve.io/stop': 'retired: true takes a service out of service',
  'serving.kserve.io/min-scale': 'autoscaling.minReplicas is the least',
  'serving.kserve.io/max-scale': 'autoscaling.maxReplicas is the most',
  'serving.kserve.io/enable-prometheus-scraping': 'pods always say where their metrics are',
  'serving.kserve.io/': 'is read by KServe alone',
  'internal.serving.kserve.io/': 'is read by KServe alone',
  'storage.kserve.io/': 'is read by KServe alone',
  'serving.knative.dev/': 'is read by Knative alone',
  'networking.knative.dev/': 'is read by Knative alone: expose says how it is reached from outside',
  'autoscaling.knative.dev/': 'is read by Knative alone: autoscaling says how it is scaled',
  'features.knative.dev/': 'is read by Knative alone',
};

/** Whether a key is one of them. */
export const isKserveKey = (key: string): boolean => Object.keys(KSERVE_KEYS).some((start) => key.startsWith(start));

/** Whether annotations ask for devices by DRA, of which nobody can tell how many GPUs they are. */
export const asksForDevices = (keys: readonly string[]): boolean =>
  keys.some((key) => key.startsWith('serving.kserve.io/exp-dra-'));
