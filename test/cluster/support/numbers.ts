import type { StructuralSchema } from '../../../constructs/schema/structural.ts';

/** A number of a spec, and what its schema says of it. */
export interface NumberPlace {
  /** `.tuning.parameters.*.max`: the same for all items of a list, and all keys of a map. */
  readonly path: string;
  readonly schema: StructuralSchema;
  /** The same spec with another number in that place. */
  readonly with: (number: number) => unknown;
}

/** Numbers at which programs differ: ends of integer types, of whole doubles and of doubles, and fractions. */
const EDGES: readonly number[] = [
  0,
  1,
  -1,
  0.5,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  -(2 ** 31) - 1,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  -(2 ** 53),
  2 ** 62,
  2 ** 63 - 1024,
  2 ** 63,
  -(2 ** 63),
  -(2 ** 63) - 2048,
  2 ** 64,
  1e21,
  -1e21,
  Number.MIN_VALUE,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
];

/** The edges of all numbers, and those of this one. */
export const edgesOf = ({ minimum, maximum }: StructuralSchema): readonly number[] => [
  ...new Set([...EDGES, ...[minimum, maximum].flatMap((end) => (end === undefined ? [] : [end - 1, end, end + 1]))]),
];

/** Every number of a spec. */
export function numbersIn(
  schema: StructuralSchema,
  value: unknown,
  path = '',
  rebuild: (value: unknown) => unknown = (whole) => whole,
): readonly NumberPlace[] {
  if (typeof value === 'number') return [{ path, schema, with: rebuild }];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return [];
    return value.flatMap((item, index) =>
      numbersIn(items, item, `${path}.*`, (other) => rebuild(value.with(index, other))),
    );
  }
  return Object.entries(value).flatMap(([name, field]) => {
    const known = schema.properties?.[name];
    const of = known ?? schema.additionalProperties;
    if (of === undefined) return [];
    return numbersIn(of, field, `${path}.${known ? name : '*'}`, (other) => rebuild({ ...value, [name]: other }));
  });
}
