export { Computations } from './computations.ts';
export { LookUps } from './lookups/lookups.ts';
export { eventsToldBy } from './object-events.ts';
export { QueryRunner } from './query-runner.ts';
export { reportIn } from './report/report.ts';
export { MOST_QUERIES, Resolver, type ResolverOptions } from './resolver.ts';
