export { garbageIn } from './garbage.ts';
export { podsFor, podStatus, type PodFate } from './pods.ts';
export { failedStatus, readyStatus, startedStatus, type Cause } from './statuses.ts';
export { podSourceOf } from './workloads.ts';
