import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../../constructs/kinds.ts';
import type { StructuralSchema } from '../../../../constructs/schema/structural.ts';
import { packageSchema } from '../../../../stacks/pulumi/provider/schema.ts';
import { enumName, namedTypes, type NamedType, type TypeSpec } from '../../../../stacks/pulumi/provider/types.ts';

const schema = packageSchema('1.2.3');

const typeNamed = (name: string): NamedType | undefined => schema.types[`trunnion:index:${name}`];

/** Every place of a schema that says a type, with the way to it. */
function specsIn(value: unknown, way: string): readonly (readonly [string, TypeSpec])[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : [[way, value as TypeSpec] as const];
  return [...own, ...Object.entries(value).flatMap(([key, child]) => specsIn(child, `${way}.${key}`))];
}

/** The type that a place of our own schema must have in Pulumi's, by the way that leads there. */
function typeAt(type: TypeSpec): TypeSpec | NamedType | undefined {
  const name = type.$ref?.split(':').at(-1);
  return name === undefined || type.$ref === 'pulumi.json#/Any' ? type : typeNamed(name);
}

/** What differs between a schema of ours and what Pulumi's says of the same place. */
function differences(ours: StructuralSchema, given: TypeSpec | undefined, way: string): readonly string[] {
  if (given === undefined) return [`${way}: is missing`];
  const theirs = typeAt(given) as (TypeSpec & NamedType) | undefined;
  if (theirs === undefined) return [`${way}: leads nowhere`];
  if (ours.enum !== undefined) {
    const values = 'enum' in theirs ? theirs.enum.map(({ value }) => value) : [];
    return JSON.stringify(values) === JSON.stringify(ours.enum) ? [] : [`${way}: has other choices`];
  }
  if (ours['x-kubernetes-int-or-string'] === true) return theirs.oneOf?.length === 2 ? [] : [`${way}: has one type`];
  if (theirs.type !== ours.type) return [`${way}: is ${theirs.type}, not ${ours.type}`];
  const required = 'required' in theirs ? (theirs.required ?? []) : [];
  const fields = Object.entries(ours.properties ?? {});
  return [
    ...(fields.length === 0 || JSON.stringify(required) === JSON.stringify(ours.required ?? [])
      ? []
      : [`${way}: other fields are required`]),
    ...fields.flatMap(([field, child]) =>
      differences(child, (theirs as { properties?: Record<string, TypeSpec> }).properties?.[field], `${way}.${field}`),
    ),
    ...(ours.items === undefined ? [] : differences(ours.items, theirs.items, `${way}[]`)),
    ...(ours.additionalProperties === undefined
      ? []
      : differences(ours.additionalProperties, theirs.additionalProperties, `${way}{}`)),
  ];
}

test.for(KINDS.map((kind) => [kind.kind, kind] as const))(
  '%s has the fields of its kind, and no others',
  ([name, kind]) => {
    const { spec = {} } = kind.schema().properties ?? {};
    const found = differences(spec, schema.resources[`trunnion:index:${name}`]?.inputProperties['spec'], name);
    // An agent also takes the source of a ModelServing.
    expect(found).toEqual(name === 'AgentService' ? ['AgentService.model: is undefined, not string'] : []);
    const type = typeNamed(`${name}Spec`);
    expect(type && 'properties' in type && Object.keys(type.properties)).toEqual(Object.keys(spec.properties ?? {}));
  },
);

test('every type that is referred to is there, and every one that is there is referred to', () => {
  const named = Object.keys(schema.types).map((token) => `#/types/${token}`);
  const refs = specsIn(schema, 'schema').flatMap(([, { $ref }]) => $ref ?? []);
  expect(new Set(refs)).toEqual(new Set(named));
});

test('numbers and switches are plain, and text is not', () => {
  const { properties } = typeNamed('ModelServingSpec') as { properties: Record<string, TypeSpec> };
  expect(properties['replicas']).toMatchObject({ type: 'integer', plain: true });
  expect(properties['retired']).toMatchObject({ type: 'boolean', plain: true });
  expect(properties['priorityClassName']).not.toHaveProperty('plain');
});

test('a default is told and not set, since a construct knows what was left out', () => {
  const { properties } = typeNamed('ModelServingStorage') as { properties: Record<string, TypeSpec> };
  expect(properties['retain']).not.toHaveProperty('default');
  expect(properties['retain']).toMatchObject({ description: expect.stringMatching(/Default: false\.$/) });
});

test('an agent takes the name of a model, or what a ModelServing tells of itself', () => {
  const { properties } = typeNamed('AgentServiceSpec') as { properties: Record<string, TypeSpec> };
  const source = { $ref: '#/types/trunnion:index:ModelSource' };
  expect(properties['model']?.oneOf).toEqual([{ type: 'string' }, source]);
  expect(schema.resources['trunnion:index:ModelServing']?.properties['source']).toMatchObject(source);
});

test('every choice has a name that each language takes, once', () => {
  for (const [token, type] of Object.entries(schema.types)) {
    if (!('enum' in type)) continue;
    const names = type.enum.map(({ name }) => name);
    expect(
      names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name)),
      token,
    ).toEqual([]);
    expect(new Set(names).size, token).toBe(names.length);
  }
});

test.for([
  ['tensorflow-serving', 'TensorflowServing'],
  ['ReadWriteOnce', 'ReadWriteOnce'],
  ['', 'Default'],
] as const)('the choice %j is named %s', ([value, name]) => {
  expect(enumName(value)).toBe(name);
});

test('no field has a name that Pulumi keeps for itself', () => {
  // pulumi/pulumi v3.258.0, pkg/codegen/schema/reserved_keywords.go
  const kept = new Set(['pulumi', 'urn', 'id', 'version']);
  const resources = Object.values(schema.resources);
  const fields = resources.flatMap(({ inputProperties, properties }) => [
    ...Object.keys(inputProperties),
    ...Object.keys(properties),
  ]);
  expect(fields.filter((field) => kept.has(field))).toEqual([]);
});

test('no type has a field of its own name, which C# refuses', () => {
  const found = Object.entries(schema.types).flatMap(([token, type]) => {
    const name = token.split(':').at(-1);
    const fields = 'properties' in type ? Object.keys(type.properties) : [];
    return fields.filter((field) => field.toLowerCase() === name?.toLowerCase());
  });
  expect(found).toEqual([]);
});

test('it names its version, and asks for nothing that an SDK does not need', () => {
  expect(schema).toMatchObject({ name: 'trunnion', version: '1.2.3' });
  expect(schema).not.toHaveProperty('dependencies');
});

describe('names of types', () => {
  const leaf: StructuralSchema = { type: 'object', properties: { key: { type: 'string' } } };
  const namesOf = (...specs: readonly (readonly [string, StructuralSchema])[]) => [
    ...namedTypes(specs.map(([kind, spec]) => ({ kind, spec }))).keys(),
  ];

  test('what one kind has is named after it, what several have is not', () => {
    const a: StructuralSchema = { type: 'object', properties: { env: leaf, own: { ...leaf, required: ['key'] } } };
    const b: StructuralSchema = { type: 'object', properties: { env: leaf } };
    expect(namesOf(['A', a], ['B', b])).toEqual(['ASpec', 'Env', 'AOwn', 'BSpec']);
  });

  test('what is in several places has the name of the shortest way, whatever each place says of it', () => {
    const deep: StructuralSchema = { type: 'object', properties: { first: { ...leaf, description: 'deep' } } };
    const a: StructuralSchema = { type: 'object', properties: { deep, near: { ...leaf, description: 'near' } } };
    expect(namesOf(['A', a])).toEqual(['ASpec', 'ADeep', 'ANear']);
  });

  test('two shapes in the same place of several kinds have the kind in front where the name is taken', () => {
    const other: StructuralSchema = { type: 'object', properties: { value: { type: 'string' } } };
    const spec = (env: StructuralSchema, more: string): StructuralSchema => ({
      type: 'object',
      properties: { env, [more]: { type: 'string' } },
    });
    const kinds = [
      ['A', leaf],
      ['B', leaf],
      ['C', other],
      ['D', other],
    ] as const;
    expect(namesOf(...kinds.map(([kind, env]) => [kind, spec(env, kind)] as const))).toEqual([
      'ASpec',
      'Env',
      'BSpec',
      'CSpec',
      'CEnv',
      'DSpec',
    ]);
  });
});
