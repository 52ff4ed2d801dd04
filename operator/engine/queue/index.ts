export { Backoff, type BackoffOptions } from './backoff.ts';
export { systemClock, type Clock } from './clock.ts';
export {
  PRIORITY_CHANGE,
  PRIORITY_RESYNC,
  PRIORITY_UNSEEN,
  WorkQueue,
  type Outcome,
  type QueueObserver,
} from './queue.ts';
