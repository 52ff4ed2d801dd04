/** What differs between what is there and what is wanted, and whether that takes another object. */
import { isObject } from './wire.ts';

/** How a value at a path is another. */
export type Change = 'add' | 'delete' | 'update';

/** Changes by path: `spec.template.spec.containers[0].image`. */
export type Changes = ReadonlyMap<string, Change>;

/** What a live object has at the places that `inputs` has. The API server's defaults, and what others set, are left out. */
export function pruned(live: unknown, inputs: unknown): unknown {
  if (Array.isArray(live) && Array.isArray(inputs))
    return live.map((item, index) => pruned(item, inputs[index] ?? item));
  if (!isObject(live) || !isObject(inputs)) return live;
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([key, input]) => (key in live ? [[key, pruned(live[key], input)]] : [])),
  );
}

/** How `wanted` is another than `live`. */
export const changesBetween = (live: unknown, wanted: unknown): Changes => new Map(changesAt('', live, wanted));

function changesAt(path: string, live: unknown, wanted: unknown): readonly (readonly [string, Change])[] {
  if (live === undefined || wanted === undefined) {
    if (live === wanted) return [];
    return [[path, live === undefined ? 'add' : 'delete']];
  }
  if (Array.isArray(live) && Array.isArray(wanted)) {
    const longer = live.length > wanted.length ? live : wanted;
    return longer.flatMap((_, index) => changesAt(`${path}[${index}]`, live[index], wanted[index]));
  }
  if (isObject(live) && isObject(wanted)) {
    const keys = new Set([...Object.keys(live), ...Object.keys(wanted)]);
    return [...keys].flatMap((key) => changesAt(stepped(path, key), live[key], wanted[key]));
  }
  return live === wanted ? [] : [[path, 'update']];
}

const stepped = (path: string, key: string): string => {
  if (!/^\w+$/.test(key)) return `${path}["${key}"]`;
  return path === '' ? key : `${path}.${key}`;
};

/** What can't be changed on an object of a kind. ConfigMaps could be, but Pulumi makes new ones. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  ConfigMap: ['data', 'binaryData'],
  Deployment: ['spec.selector'],
  Job: ['spec.completions', 'spec.parallelism', 'spec.selector', 'spec.template'],
  PersistentVolumeClaim: ['spec.accessModes', 'spec.selector', 'spec.storageClassName', 'spec.volumeName'],
  Secret: ['data', 'stringData', 'type'],
  Service: ['spec.clusterIP'],
};

const IDENTITY = ['apiVersion', 'kind', 'metadata.name', 'metadata.namespace'];

/** The changes that take another object instead of the one that is there. */
export const replacingChanges = (kind: string, changes: Changes): readonly string[] => {
  const fixed = [...IDENTITY, ...(FIXED[kind] ?? [])];
  return [...changes.keys()].filter((path) =>
    fixed.some((field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)),
  );
};
