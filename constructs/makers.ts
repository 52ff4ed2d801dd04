import type { IConstruct } from 'constructs';
import type { Manifest } from './workload.ts';

/** Who makes which object of an app: the path of the workload, by the object. */
const apps = new WeakMap<IConstruct, Map<string, string>>();

/**
 * Notes that a workload makes an object. Names of children derive from that of their workload, so a workload may be called
 * what a child of another one is called: `llama-fetcher` beside `llama`. Applied from one app, the later of the two
 * would silently take the place of the first, which may be the NetworkPolicy of pods that run.
 *
 * @returns what is wrong where another workload of the app makes it already
 */
export function noteMaker(workload: IConstruct, { apiVersion, kind, metadata }: Manifest): string | undefined {
  const { root, path } = workload.node;
  const makers = apps.get(root) ?? new Map<string, string>();
  apps.set(root, makers);
  const [group] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
  const { name, namespace = '' } = metadata;
  const object = `${group}/${kind} ${namespace}/${name}`;
  const maker = makers.get(object) ?? path;
  makers.set(object, maker);
  if (maker === path) return undefined;
  return `${kind} ${namespace}/${name} is made by ${maker} as well, and the later one would take its place: give one of the two workloads another name`;
}
