export { translationOf } from './compat-kinds.ts';
export { READERS, convert, type Equivalent } from './convert.ts';
export type { Note } from './fields.ts';
