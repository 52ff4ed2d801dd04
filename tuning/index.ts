/** The optimiser: which assignments of parameters to try next, by what was tried. Pure: numbers in, numbers out. */
export type { Parameter, Value } from './axis.ts';
export { type Importance, importanceOf } from './importance.ts';
export type { Assignments } from './space.ts';
export { suggest } from './suggest.ts';
export type { Search, Trial } from './search.ts';
