import type { ResourceRequirements, Volume, VolumeMount } from '../kube.ts';
import type { PodTemplatePatch } from '../pod-template.ts';
import { canonicalQuantity, compareQuantities, parseQuantity } from '../quantity.ts';
import type { WeightsInput } from './input.ts';
import { VOLUME_PATH } from './layout.ts';

/**
 * What a fetch needs at most. Its hashing takes a core at about 10 Gbit/s; its memory does not grow with the model, and of
 * the node's disk it takes next to nothing.
 */
const NEEDS: Readonly<Record<string, { readonly request: string; readonly limit: string }>> = {
  cpu: { request: '500m', limit: '4' },
  memory: { request: '256Mi', limit: '1Gi' },
  'ephemeral-storage': { request: '64Mi', limit: '1Gi' },
};

type Amounts = Readonly<Record<string, string | number>>;

/**
 * The resources of whoever fetches. A namespace's LimitRange and quota that let the server in let it in as well: it asks
 * for no more than the server, and is limited in what the server is. What `fetcher.resources` says stands above that.
 */
export function fetcherResources({ spec, server }: WeightsInput): ResourceRequirements {
  const { requests = {}, limits = {} } = server?.resources ?? {};
  const { cpu, memory } = spec.fetcher?.resources ?? {};
  const wanted: Amounts = {
    ...leastRequests(requests, limits),
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
  };
  const most: Amounts = { ...leastLimits(limits, wanted), ...(memory !== undefined && { memory }) };
  return {
    requests: canonical(wanted),
    ...(Object.keys(most).length > 0 && { limits: canonical(most) }),
  };
}

const leastRequests = (requests: Amounts, limits: Amounts): Amounts =>
  Object.fromEntries(
    Object.entries(NEEDS).flatMap(([name, { request }]) => {
      // Disk is asked for only where the server asks for it: most clusters don't count it.
      if (name === 'ephemeral-storage' && requests[name] === undefined && limits[name] === undefined) return [];
      return [[name, least([request, requests[name], limits[name]])]];
    }),
  );

const leastLimits = (limits: Amounts, requests: Amounts): Amounts =>
  Object.fromEntries(
    Object.entries(NEEDS).flatMap(([name, { limit }]) => {
      if (limits[name] === undefined) return [];
      const most = least([limit, limits[name]]);
      const request = requests[name] ?? most;
      return [[name, compare(request, most) > 0 ? request : most]];
    }),
  );

const least = (amounts: readonly (string | number | undefined)[]): string | number =>
  amounts.filter((amount) => amount !== undefined).reduce((one, other) => (compare(other, one) < 0 ? other : one));

const compare = (one: string | number, other: string | number): number => compareQuantities(amount(one), amount(other));

function amount(text: string | number) {
  const parsed = parseQuantity(String(text));
  if (parsed === undefined) throw new Error(`${JSON.stringify(text)} is no amount in Kubernetes' notation`);
  return parsed;
}

const canonical = (amounts: Amounts): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, canonicalQuantity(value)]));

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
