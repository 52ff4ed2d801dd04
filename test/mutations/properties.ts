import type { StructuralSchema } from '../../constructs/schema/structural.ts';

/** Something that a user can write. */
export interface Property {
  /** `spec.env[].name`: an item of a list is `[]`, a value of a map `{}`. */
  readonly path: string;
  readonly schema: StructuralSchema;
}

/** Every property of a schema, from the outside in: fields, and items and values that are no objects themselves. */
export function propertiesOf(schema: StructuralSchema, path: string = 'spec'): readonly Property[] {
  const { properties = {}, items, additionalProperties } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, each]) => withInner(each, `${path}.${name}`)),
    ...(items ? (isScalar(items) ? withInner(items, `${path}[]`) : propertiesOf(items, `${path}[]`)) : []),
    ...(additionalProperties ? withInner(additionalProperties, `${path}{}`) : []),
  ];
}

const withInner = (schema: StructuralSchema, path: string): readonly Property[] => [
  { path, schema },
  ...propertiesOf(schema, path),
];

const isScalar = ({ properties, items, additionalProperties }: StructuralSchema): boolean =>
  properties === undefined && items === undefined && additionalProperties === undefined;

/** The schema at a path of steps, as `stepsOf` gives them. */
export function schemaAt(schema: StructuralSchema, steps: readonly (string | number)[]): StructuralSchema | undefined {
  return steps.reduce<StructuralSchema | undefined>((node, step) => {
    if (typeof step === 'number' || step === '[]') return node?.items;
    return node?.properties?.[step] ?? node?.additionalProperties;
  }, schema);
}
