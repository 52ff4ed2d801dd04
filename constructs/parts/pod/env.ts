import type { EnvVar } from '../objects/index.ts';

/** Each variable once, as it is said last: two of one name are refused by the API server. */
export const uniqueVariables = (variables: readonly EnvVar[]): EnvVar[] => [
  ...new Map(variables.map((variable) => [variable.name, variable])).values(),
];
