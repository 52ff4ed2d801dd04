import { shortHash } from '../../../../constructs/parts/weights/key.ts';
import type { Manifest } from '../../../../constructs/workload.ts';
import type { ObservedContainer, ObservedPod } from '../../../../operator/engine/api/observed.ts';
import { START, container, ends } from './support.ts';

export const FETCH_SECONDS = 6;
const LOAD_SECONDS = 4;

/** A simulated pod. */
export interface Pod {
  readonly name: string;
  readonly component: 'server' | 'fetcher';
  /** The Job that made it, or a hash of the template. */
  readonly of: string;
  readonly template: Manifest;
  readonly createdAt: number;
}

/** What happens to pods. */
export interface Fate {
  readonly now: number;
  /** Models that can't be downloaded. */
  readonly missing: ReadonlySet<string>;
  /** Models that no engine can run. */
  readonly broken: ReadonlySet<string>;
}

/** Whether a server answers. */
export const isReady = (pod: Pod, fate: Fate): boolean =>
  ageOf(pod, fate) >= (fetchesItself(pod) ? FETCH_SECONDS : 0) + LOAD_SECONDS &&
  !isAmong(fate.broken, pod) &&
  !isAmong(fate.missing, pod);

/** How the fetch of a Job's pod went; undefined as long as it goes. */
export function fetched(pod: Pod, fate: Fate): 'Complete' | 'Failed' | undefined {
  if (ageOf(pod, fate) < FETCH_SECONDS) return undefined;
  return isAmong(fate.missing, pod) ? 'Failed' : 'Complete';
}

/** A pod as the cache would have it. */
export function observedPod(pod: Pod, fate: Fate): ObservedPod {
  const isServer = pod.component === 'server';
  const label = isServer ? 'pod-template-hash' : 'batch.kubernetes.io/job-name';
  return {
    namespace: 'models',
    name: pod.name,
    uid: pod.name,
    labels: { 'app.kubernetes.io/component': pod.component, [label]: pod.of },
    annotations: isServer ? { 'trunnion.dev/weights': keyOf(pod) } : {},
    createdAt: pod.createdAt,
    deleting: false,
    phase: 'Running',
    ip: '10.0.0.1',
    conditions: [],
    containers: [
      ...(isServer && !fetchesItself(pod) ? [] : [fetchContainer(pod, fate)]),
      ...(isServer ? [serverContainer(pod, fate)] : []),
    ],
  };
}

const RUNNING = { running: { startedAt: new Date(START).toISOString() } };

function fetchContainer(pod: Pod, fate: Fate): ObservedContainer {
  const end = fetched(pod, fate);
  if (end === undefined) return container('fetch', RUNNING);
  return end === 'Failed'
    ? container('fetch', { terminated: ends(66, 'nothing is there') })
    : container('fetch', { ready: true, terminated: ends(0, '{"revision":"1","bytes":9,"totalBytes":9}') });
}

function serverContainer(pod: Pod, fate: Fate): ObservedContainer {
  if (fetchesItself(pod) && fetched(pod, fate) !== 'Complete') return container('server');
  if (isAmong(fate.broken, pod)) return container('server', { lastTerminated: ends(3, 'unknown architecture') });
  return container('server', { ready: isReady(pod, fate), started: true, ...RUNNING });
}

const ageOf = ({ createdAt }: Pod, { now }: Fate): number => (now - createdAt) / 1000;

const isAmong = (uris: ReadonlySet<string>, pod: Pod): boolean =>
  [...uris].some((uri) => keyOf(pod).includes(shortHash(uri)));

/** The key of the weights that a pod was made for: its Job has it as an annotation, or its own template. */
function keyOf({ component, template }: Pod): string {
  const { annotations = {} } = component === 'fetcher' ? template.metadata : templateOf(template).metadata;
  return annotations['trunnion.dev/weights'] ?? '';
}

function fetchesItself({ component, template }: Pod): boolean {
  const containers = templateOf(template).spec.initContainers ?? [];
  return component === 'fetcher' || containers.some(({ name }) => name === 'fetch');
}

interface Template {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly initContainers?: readonly { readonly name: string }[] };
}

const templateOf = (manifest: Manifest): Template => (manifest['spec'] as { readonly template: Template }).template;
