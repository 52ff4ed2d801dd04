/** What tests of an operator need. */
export * from './cluster/index.ts';
export * from './faults/index.ts';
export * from './simulate/index.ts';
