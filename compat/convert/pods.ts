import { isDeepStrictEqual } from 'node:util';
import { isList, isObject } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Fields } from './fields.ts';
import { schemaOf } from './known.ts';
import { CONTAINER_FIELDS, OWN_FIELDS, TEMPLATE_FIELDS } from './pod-fates.ts';

/** What of a pod's spec the spec of every kind of ours has: fields of its own, and parts of podTemplate. */
export function podFieldsOf(
  pod: Fields,
  kind: KindSchema,
): { readonly own: object; readonly template: Readonly<Record<string, Json>> } {
  return {
    own: carried(pod, kind, 'spec', OWN_FIELDS),
    template: carried(pod, kind, 'spec.podTemplate.spec', [
      ...TEMPLATE_FIELDS,
      'initContainers',
      'terminationGracePeriodSeconds',
    ]),
  };
}

/** Of a container, what goes into the container of that name of podTemplate. */
export const containerParts = (container: Fields, kind: KindSchema): Readonly<Record<string, Json>> =>
  carried(container, kind, 'spec.podTemplate.spec.containers', CONTAINER_FIELDS);

/** Containers beside the one that does the work, as podTemplate has them. */
export function besides(pod: Fields, main: Fields, kind: KindSchema, path = 'containers'): readonly Json[] {
  const schema = schemaOf(kind, 'spec.podTemplate.spec.containers').items ?? {};
  return pod
    .items(path)
    .filter((container) => !container.isAt(main))
    .flatMap((container) => container.carry('', schema) ?? []);
}

/** The fields of these names, as far as a schema of ours knows them below a path. */
export function carried(
  fields: Fields,
  kind: KindSchema,
  to: string,
  names: readonly string[],
): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = fields.carry(name, schemaOf(kind, `${to}.${name}`));
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** The parts of a podTemplate, without those that are empty. */
export function podTemplateOf(
  name: string,
  spec: object,
  container: object,
  { metadata = {}, more = [] }: { readonly metadata?: object; readonly more?: readonly Json[] } = {},
): object {
  const own = Object.keys(container).length > 0 ? [{ name, ...container }] : [];
  const containers = [...own, ...more];
  const parts = { ...spec, ...(containers.length > 0 && { containers }) };
  const template = {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(Object.keys(parts).length > 0 && { spec: parts }),
  };
  return Object.keys(template).length === 0 ? {} : { podTemplate: template };
}

/** The variables at a path, where they are a map, as Kubernetes has them. */
export function envOf(fields: Fields, path: string): readonly object[] | undefined {
  const map = fields.peek(path);
  if (!isObject(map)) return undefined;
  fields.take(path);
  return Object.entries(map).map(([name, value]) => ({ name, value: plain(value) }));
}

function plain(value: Json): string {
  // As the API server has it: null is no value.
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The container that does the work: by its name, or the first. */
export function mainContainer(pod: Fields, name: string): Fields {
  const containers = pod.items('containers');
  const found = containers.find((each) => each.peek('name') === name) ?? containers[0];
  found?.text('name');
  return found ?? pod.none('containers');
}

/** A field that is there, under its name, or none; an empty object or list of what was carried over is none. */
export const given = (name: string, value: unknown): object => (value === undefined ? {} : { [name]: value });

/** The same for several, where there is something in it. */
export const filled = (name: string, value: object): object =>
  (isList(value as Json) ? (value as readonly Json[]).length : Object.keys(value).length) === 0
    ? {}
    : { [name]: value };

/** Whether two values say the same. */
export const isSame = (one: Json | undefined, other: Json | undefined): boolean => isDeepStrictEqual(one, other);
