export { editsOf, type Edit } from './edits.ts';
export { difference, fieldAt, has, placesOf, union, within } from './field-sets.ts';
export { digestOf, digestOfOwned, extract, ownsPath, type FieldSet } from './owned-fields.ts';
