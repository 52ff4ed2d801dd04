/**
 * What a schema of ours is in a package schema of Pulumi, from which Pulumi makes the classes of each language. Its fields
 * are those of pulumi/pulumi v3.258.0, pkg/codegen/schema/schema.go.
 */
import { capitalized } from '../../../constructs/parts/values/index.ts';
import type { StructuralSchema } from '../../../constructs/schema/structural.ts';
import { nameShapes, shapeOf, type Placed, type ShapeNames } from './shapes.ts';

/** A type where it is used. */
export interface TypeSpec {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
  /** Whether no Output may stand there. */
  readonly plain?: boolean;
}

/** A field of an object, or of a resource. */
export interface PropertySpec extends TypeSpec {
  readonly description?: string;
}

/** A type with a name. */
export type NamedType = ObjectType | EnumType;

/** An object whose fields are known. */
export interface ObjectType {
  readonly description?: string;
  readonly type: 'object';
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required?: readonly string[];
}

/** A text of a list. */
interface EnumType {
  readonly description?: string;
  readonly type: 'string';
  readonly enum: readonly { readonly name: string; readonly value: string }[];
}

/** The first part of every name that this package gives. */
export const PACKAGE = 'trunnion';

/** How a type with a name is referred to. */
export const refTo = (name: string): TypeSpec => ({ $ref: `#/types/${PACKAGE}:index:${name}` });

/** All types with names that schemas need, by their names. */
export function namedTypes(roots: readonly Placed[]): ReadonlyMap<string, NamedType> {
  const names = nameShapes(roots);
  return new Map([...names.schemas].map(([name, schema]) => [name, namedType(schema, names)]));
}

function namedType(schema: StructuralSchema, names: ShapeNames): NamedType {
  if (schema.enum !== undefined) {
    const values = schema.enum.filter((value) => typeof value === 'string');
    return { type: 'string', enum: values.map((value) => ({ name: enumName(value), value })) };
  }
  const { required = [], properties = {} } = schema;
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([field, child]) => [field, propertyOf(child, names)]),
    ),
    ...(required.length > 0 && { required }),
  };
}

/** The name of a value of a list, as every language takes one: `tensorflow-serving` is TensorflowServing. */
export const enumName = (value: string): string =>
  value === ''
    ? 'Default'
    : value
        .split(/[^A-Za-z0-9]+/)
        .map(capitalized)
        .join('');

function propertyOf(schema: StructuralSchema, names: ShapeNames): PropertySpec {
  const text = descriptionOf(schema);
  return { ...plainWhereItDecides(typeOf(schema, names)), ...(text !== '' && { description: text }) };
}

/** Defaults are told, and not set: the construct sets them, and knows which of them were left out. */
function descriptionOf({ description = '', default: value }: StructuralSchema): string {
  if (value === undefined || typeof value === 'object') return description;
  return `${description}\n\nDefault: ${JSON.stringify(value)}.`.trim();
}

/**
 * Only text may come later: numbers and switches decide which objects there are. So do choices, but Go has no short way
 * to point to one; the component checks these.
 */
const plainWhereItDecides = (type: TypeSpec): TypeSpec =>
  type.type === 'integer' || type.type === 'number' || type.type === 'boolean' ? { ...type, plain: true } : type;

function typeOf(schema: StructuralSchema, names: ShapeNames): TypeSpec {
  const name = names.of(shapeOf(schema));
  if (name !== undefined) return refTo(name);
  const { type, items, additionalProperties } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return { oneOf: [{ type: 'integer' }, { type: 'string' }] };
  if (type === 'array' && items !== undefined) return { type, items: typeOf(items, names) };
  if (type === 'object' && additionalProperties !== undefined)
    return { type, additionalProperties: typeOf(additionalProperties, names) };
  if (type === undefined || type === 'object' || type === 'array') return { $ref: 'pulumi.json#/Any' };
  return { type };
}
