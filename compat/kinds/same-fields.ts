import { samePodFields } from './same-fields.schema.ts';

/** The fields of pods that are handed over as they are. */
export const SAME_POD_FIELDS = Object.keys(samePodFields) as readonly (keyof typeof samePodFields)[];

/** Those of some fields that a spec has, as they are: what it does not have keeps the default of its kind. */
export const sameFields = <Spec extends object, Field extends keyof Spec>(
  spec: Spec,
  fields: readonly Field[],
): Partial<Pick<Spec, Field>> =>
  Object.fromEntries(fields.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]]))) as Partial<
    Pick<Spec, Field>
  >;
