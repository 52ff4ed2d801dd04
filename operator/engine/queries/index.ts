export { Computations } from './computations.ts';
export { Lookups } from './lookups/lookups.ts';
export { eventsIn } from './object-events.ts';
export { QueryRunner } from './query-runner.ts';
export { reportIn } from './report/report.ts';
export { MOST_QUERIES, Resolver, type ResolverOptions } from './resolver.ts';
