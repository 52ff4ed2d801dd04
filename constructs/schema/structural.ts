import * as z from 'zod';
import type { Json } from './json.ts';
import { VALIDATIONS, type Rule } from './rules.ts';

/** What a field does in each host, where they differ; for the reference page. */
export interface HostNotes {
  readonly cdk8s: string;
  readonly pulumi: string;
  readonly operator: string;
}

/**
 * A structural schema, as custom resources need it: one type a node, no alternatives but integer or string, nothing
 * that only JSON Schema knows.
 */
export interface StructuralSchema {
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly nullable?: boolean;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema;
  readonly items?: StructuralSchema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly [VALIDATIONS]?: readonly Rule[];
  /** For the reference page; not a part of the CRD. */
  readonly hosts?: HostNotes;
}

type Node = Readonly<Record<string, unknown>>;

/** Carried over as they are, in the order in which a CRD shows them. */
const PLAIN = [
  'default',
  'enum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'nullable',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
  'required',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  VALIDATIONS,
  'hosts',
] as const;

/** What zod says of an object that takes no other fields; a structural schema says it by having no such keyword. */
const UNDERSTOOD = new Set<string>([
  ...PLAIN,
  'description',
  'type',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'properties',
  'items',
  'additionalProperties',
  'propertyNames',
]);

/**
 * The structural schema of a zod schema.
 *
 * @throws Error where a custom resource could not say what the zod schema says
 */
export const toStructural = (schema: z.ZodType): StructuralSchema =>
  structural(
    z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', reused: 'inline', unrepresentable: 'any' }) as Node,
    'spec',
  );

function structural(node: Node, path: string): StructuralSchema {
  if ('anyOf' in node) return structural(intOrString(node, path), path);
  if (isAnything(node)) return { ...pick(node, ['description', 'default']), [PRESERVE]: true };
  const unknown = Object.keys(node).filter((key) => !UNDERSTOOD.has(key) && key !== '$schema');
  if (unknown.length > 0) throw new Error(`${path}: a structural schema can't say ${unknown.join(', ')}`);
  const { description, type, properties, items, additionalProperties } = node;
  return {
    ...(typeof description === 'string' && { description }),
    ...(typeof type === 'string' && { type: type as NonNullable<StructuralSchema['type']> }),
    ...bounds(node),
    ...textForm(node),
    ...Object.fromEntries(PLAIN.filter((key) => node[key] !== undefined).map((key) => [key, node[key]])),
    ...(isNode(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, structural(child as Node, `${path}.${name}`)]),
      ),
    }),
    ...(isNode(additionalProperties) &&
      (isAnything(additionalProperties)
        ? { [PRESERVE]: true }
        : { additionalProperties: structural(additionalProperties, `${path}[*]`) })),
    ...(isNode(items) && { items: structural(items, `${path}[*]`) }),
  };
}

/** Keeps what the schema does not name. */
const PRESERVE = 'x-kubernetes-preserve-unknown-fields';

/** Whether a node says nothing of its value: `z.unknown()`, or the other fields of `z.looseObject`. */
const isAnything = (node: Node): boolean =>
  Object.keys(node).every((key) => key === '$schema' || key === 'description' || key === 'default');

const pick = (node: Node, keys: readonly string[]): Node =>
  Object.fromEntries(keys.filter((key) => node[key] !== undefined).map((key) => [key, node[key]]));

/** Formats that the API server checks: k8s.io/apiextensions-apiserver 0.36, pkg/apiserver/validation/formats.go. */
const FORMATS: ReadonlySet<unknown> = new Set([
  'bsonobjectid',
  'uri',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'cidr',
  'mac',
  'uuid',
  'uuid3',
  'uuid4',
  'uuid5',
  'isbn',
  'isbn10',
  'isbn13',
  'creditcard',
  'ssn',
  'hexcolor',
  'rgbcolor',
  'byte',
  'password',
  'date',
  'duration',
  'datetime',
  'date-time',
]);

/** Go's regular expressions look neither ahead nor back; zod still holds such a pattern. */
const LOOKS_AROUND = /\(\?(?:[=!]|<[=!])|\\[1-9]/;

/** The form of a text, as far as the API server can check it. */
function textForm({ type, format, pattern }: Node): Pick<StructuralSchema, 'format' | 'pattern'> {
  if (type !== 'string') return {};
  return {
    ...(typeof format === 'string' && FORMATS.has(format) && { format }),
    ...(typeof pattern === 'string' && !LOOKS_AROUND.test(pattern) && { pattern }),
  };
}

/** An integer or a string: one node with the bounds of both, each of which concerns only one of them. */
function intOrString({ anyOf, ...node }: Node, path: string): Node {
  const [integer, string, ...more] = anyOf as readonly Node[];
  if (integer?.['type'] !== 'integer' || string?.['type'] !== 'string' || more.length > 0) {
    throw new Error(`${path}: the only union that a structural schema knows is integer or string, in this order`);
  }
  const { type: _integer, ...numeric } = integer;
  const { type: _string, ...textual } = string;
  return { ...numeric, ...textual, ...node, 'x-kubernetes-int-or-string': true };
}

/** Leaves out the bounds that zod gives every integer, and says how wide a number is. */
function bounds({ type, minimum, maximum }: Node): Pick<StructuralSchema, 'format' | 'minimum' | 'maximum'> {
  return {
    ...(type === 'integer' && { format: typeof maximum === 'number' && maximum < 2 ** 31 ? 'int32' : 'int64' }),
    ...(typeof minimum === 'number' && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(typeof maximum === 'number' && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
