import { isObject, type PlainObject } from '../../constructs/schema/json.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';

/** The path of every field that holds a value: `spec.env[].name`; `{}` stands for the keys of a map. */
export function leavesOf(schema: StructuralSchema, path: string = 'spec'): readonly string[] {
  if (schema.items) return leavesOf(schema.items, `${path}[]`);
  if (schema.additionalProperties) return leavesOf(schema.additionalProperties, `${path}{}`);
  const properties = Object.entries(schema.properties ?? {});
  return properties.length === 0 ? [path] : properties.flatMap(([name, each]) => leavesOf(each, `${path}.${name}`));
}

/** What a field needs to be valid. */
interface Hints {
  /** Two values of the fields whose path ends so, where any two of their type will not do. */
  readonly values: Readonly<Record<string, readonly [unknown, unknown]>>;
  /** What an object needs beside the field, where the path of the object ends so. */
  readonly siblings: Readonly<Record<string, PlainObject>>;
}

/** What the fields need that the pods of every kind have. */
const POD_HINTS: Hints = {
  values: {
    '.cidr': ['10.0.0.0/8', '192.168.0.0/16'],
    '.ip': ['10.0.0.1', '10.0.0.2'],
    '.nameservers[]': ['10.0.0.1', '10.0.0.2'],
    '.mountPath': ['/a', '/b'],
    '.terminationGracePeriodSeconds': [700, 701],
    '.podTemplate.spec.containers[].name': ['side', 'other'],
    '.podTemplate.spec.initContainers[].name': ['first', 'other'],
  },
  siblings: {
    '.tolerations[]': { key: 'taint' },
    '.podTemplate.spec.containers[]': { name: 'side', image: 'side:1' },
    '.podTemplate.spec.initContainers[]': { name: 'first', image: 'first:1' },
  },
};

/** What only these fields need beside them, since it excludes others. */
const SOURCES: Readonly<Record<string, Hints['siblings']>> = {
  '.volumes[].name': { '.volumes[]': { emptyDir: {} } },
  '.envFrom[].prefix': { '.envFrom[]': { secretRef: { name: 'sample' } } },
  ...Object.fromEntries(
    ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => [
      `.initContainers[].${probe}`,
      { '.podTemplate.spec.initContainers[]': { name: 'first', image: 'first:1', restartPolicy: 'Always' } },
    ]),
  ),
};

/**
 * Two specs that differ in the one field, laid over `base`.
 *
 * @param values - two values of the fields of this kind whose path ends so, where any two of their type will not do
 */
export function variantsOf(
  base: PlainObject,
  schema: StructuralSchema,
  leaf: string,
  values: Hints['values'],
): readonly [PlainObject, PlainObject] {
  const [, source] = Object.entries(SOURCES).find(([end]) => leaf.endsWith(end) || leaf.includes(`${end}.`)) ?? [];
  const hints = {
    values: { ...POD_HINTS.values, ...values },
    siblings: { ...POD_HINTS.siblings, ...source },
  };
  return [withField(base, schema, leaf, 0, hints), withField(base, schema, leaf, 1, hints)];
}

/** The least spec that has the field, in its first or second value, laid over `base`. */
function withField(base: PlainObject, schema: StructuralSchema, leaf: string, which: 0 | 1, hints: Hints): PlainObject {
  const build = (node: StructuralSchema, path: string, given: unknown): unknown => {
    if (path === leaf) return valuesOf(node, path, hints)[which];
    if (node.items) return [build(node.items, `${path}[]`, undefined)];
    if (node.additionalProperties) return { cpu: build(node.additionalProperties, `${path}{}`, undefined) };
    const next = Object.keys(node.properties ?? {}).find((name) => isOnWay(`${path}.${name}`, leaf));
    const beside = isObject(given) ? given : { ...requiredOf(node, path, hints), ...hintFor(hints.siblings, path) };
    if (next === undefined) return beside;
    return { ...beside, [next]: build(node.properties?.[next] ?? {}, `${path}.${next}`, beside[next]) };
  };
  return build(schema, 'spec', base) as PlainObject;
}

const isOnWay = (path: string, leaf: string): boolean =>
  leaf === path || (/^[.[{]/.test(leaf.slice(path.length)) && leaf.startsWith(path));

const requiredOf = (node: StructuralSchema, path: string, hints: Hints): PlainObject =>
  Object.fromEntries(
    (node.required ?? []).map((name) => [name, sample(node.properties?.[name] ?? {}, `${path}.${name}`, hints)]),
  );

function sample(node: StructuralSchema, path: string, hints: Hints): unknown {
  if (node.items) return [sample(node.items, `${path}[]`, hints)];
  if (node.properties) return { ...requiredOf(node, path, hints), ...hintFor(hints.siblings, path) };
  return valuesOf(node, path, hints)[0];
}

function valuesOf(node: StructuralSchema, path: string, { values }: Hints): readonly [unknown, unknown] {
  const hint = hintFor(values, path);
  if (hint) return hint;
  if (node.enum) return [node.enum[0], node.enum[1]];
  if (node['x-kubernetes-int-or-string']) return ['1', '2'];
  if (node.type === 'boolean') return [true, false];
  if (node.type === 'number') return [0.25, 0.5];
  if (node.type === 'integer') return [Math.max(1, node.minimum ?? 1), Math.max(1, node.minimum ?? 1) + 1];
  return ['sample-a', 'sample-b'];
}

/** The hint whose key is the longest end of the path. */
const hintFor = <T>(hints: Readonly<Record<string, T>>, path: string): T | undefined => {
  const [key] = Object.keys(hints)
    .filter((end) => path.endsWith(end))
    .toSorted((a, b) => b.length - a.length);
  return key === undefined ? undefined : hints[key];
};
