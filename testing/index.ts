/** What tests of an operator need. */
export * from './simulate/index.ts';
