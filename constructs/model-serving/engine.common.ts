import type { EnvVar } from '../parts/objects/index.ts';
import type { IpFamily } from './engines.ts';

/** The weights are on disk: asking the Hub could only hang, since the NetworkPolicy lets nothing out. */
export const OFFLINE: readonly EnvVar[] = [
  { name: 'HF_HUB_OFFLINE', value: '1' },
  { name: 'TRANSFORMERS_OFFLINE', value: '1' },
  { name: 'DO_NOT_TRACK', value: '1' },
];

/** All addresses of a family. */
export const WILDCARD: Readonly<Record<IpFamily, string>> = { IPv4: '0.0.0.0', IPv6: '::' };

/** A variable with the address of the pod. */
export const podAddress = (name: string): EnvVar => ({
  name,
  valueFrom: { fieldRef: { fieldPath: 'status.podIP' } },
});
