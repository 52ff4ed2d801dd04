import type { IConstruct } from 'constructs';
import { SpecError } from './schema/error.ts';

/** By what an object differs from all others of a cluster. */
interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/**
 * Who makes which object, of all that is applied together. Names of children derive from that of their workload, so a
 * workload may be called what a child of another one is called: `llama-fetcher` beside `llama`. Applied from one place,
 * the later of the two would silently take the place of the first, which may be the NetworkPolicy of pods that run.
 */
export class Makers {
  readonly #makers = new Map<string, string>();

  /**
   * Notes who makes an object.
   *
   * @param maker - what tells a workload from all others, in words for a person
   * @returns what is wrong where another one makes it already
   */
  note(maker: string, { apiVersion, kind, metadata }: ObjectName): string | undefined {
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    const { name, namespace = '' } = metadata;
    const object = `${group}/${kind} ${namespace}/${name}`;
    const first = this.#makers.get(object) ?? maker;
    this.#makers.set(object, first);
    if (first === maker) return undefined;
    return `${kind} ${namespace}/${name} is made by ${first} as well as by ${maker}, and the later one would take its place: give one of the two another name`;
  }
}

/**
 * Notes that a construct stands for a resource.
 *
 * @throws SpecError where another one of the app is the same resource: its objects would be those of the first
 */
export function claimName(construct: IConstruct, kind: string, { name, namespace }: Named): void {
  const path = construct.node.path;
  const resources = resourcesOf(construct);
  const key = `${kind} ${namespace}/${name}`;
  const first = resources.get(key) ?? path;
  resources.set(key, first);
  if (first === path) return;
  const message = `is the name of the ${kind} ${first} as well as of ${path}, in one namespace: give one of the two another name or namespace`;
  throw new SpecError(key, [{ path: 'metadata.name', message, got: name }]);
}

interface Named {
  readonly name: string;
  readonly namespace: string;
}

const resources = new WeakMap<IConstruct, Map<string, string>>();

/** Where the resources of an app stand in it. */
function resourcesOf({ node: { root } }: IConstruct): Map<string, string> {
  const known = resources.get(root) ?? new Map<string, string>();
  resources.set(root, known);
  return known;
}

const apps = new WeakMap<IConstruct, Makers>();

/** Who makes which object of an app. */
export function makersOf({ node: { root } }: IConstruct): Makers {
  const makers = apps.get(root) ?? new Makers();
  apps.set(root, makers);
  return makers;
}
