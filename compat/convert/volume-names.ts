import { OWN_VOLUMES } from '../../constructs/distributed-training/parts.ts';
import { RESERVED_VOLUMES } from '../../constructs/parts/pod/schema.ts';
import { isList, isObject } from '../../constructs/schema/json.ts';
import type { Json, JsonObject } from '../../constructs/schema/json.ts';
import type { Note } from './fields.ts';

const TAKEN: ReadonlySet<string> = new Set([...RESERVED_VOLUMES, ...OWN_VOLUMES]);

/** A spec in which no volume of the user has a name of Trunnion's own, and what is said of each that has another now. */
export function withFreeVolumeNames(spec: Json): { readonly spec: Json; readonly notes: readonly Note[] } {
  const pod = podOf(spec);
  const names = listOf(pod?.['volumes'])
    .flatMap(nameOf)
    .filter((name) => TAKEN.has(name));
  if (pod === undefined || !isObject(spec) || names.length === 0) return { spec, notes: [] };
  const renamed = (item: Json): Json =>
    isObject(item) && typeof item['name'] === 'string' && TAKEN.has(item['name'])
      ? { ...item, name: free(item['name']) }
      : item;
  const inContainer = (item: Json): Json =>
    isObject(item) && isList(item['volumeMounts'])
      ? { ...item, volumeMounts: item['volumeMounts'].map(renamed) }
      : item;
  const lists = Object.entries(pod).map(([name, list]) => {
    if (!isList(list)) return [name, list] as const;
    if (name === 'volumes') return [name, list.map(renamed)] as const;
    return [name, name === 'containers' || name === 'initContainers' ? list.map(inContainer) : list] as const;
  });
  const template = spec['podTemplate'] as JsonObject;
  return {
    spec: { ...spec, podTemplate: { ...template, spec: Object.fromEntries(lists) } },
    notes: names.map((name) => ({
      path: 'spec.podTemplate.spec.volumes',
      value: name,
      message: `is called ${free(name)} here: Trunnion has a volume of that name`,
    })),
  };
}

const free = (name: string): string => `own-${name}`;

function podOf(spec: Json): JsonObject | undefined {
  const template = isObject(spec) ? spec['podTemplate'] : undefined;
  const pod = isObject(template) ? template['spec'] : undefined;
  return isObject(pod) ? pod : undefined;
}

const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

const nameOf = (item: Json): readonly string[] =>
  isObject(item) && typeof item['name'] === 'string' ? [item['name']] : [];
