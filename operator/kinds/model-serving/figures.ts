import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import type { Counter, Figures, Gauge } from '../../engine/api/index.ts';
import { REPLICA_GAUGES, sample } from '../shared/figures.ts';
import { requestsCut } from './drain.ts';
import type { Phase } from './phase.ts';
import type { ModelServingResource } from './observed.ts';

const PHASES: Readonly<Record<Phase, string>> = {
  Pending: 'No server runs yet: a volume, a GPU or something that it refers to is waited for.',
  Downloading: 'The weights are being fetched.',
  Deploying: 'The weights are there, and the first servers start.',
  Running: 'It serves as its spec says.',
  Updating: 'It serves, and is being brought to what its spec says.',
  Draining: 'It takes no new requests, and waits for those in flight.',
  Retired: 'It has been taken out of service; its weights are kept.',
  Failed: 'It does not serve, and will not until something is changed.',
};

const GAUGES: readonly Gauge<ModelServingStatus>[] = [
  {
    name: 'trunnion_weights_fetched_bytes',
    help: 'Bytes of the weights that are there.',
    of: ({ weights }) => sample(weights?.bytes),
  },
  {
    name: 'trunnion_weights_size_bytes',
    help: 'Bytes of the weights in all.',
    of: ({ weights }) => sample(weights?.totalBytes),
  },
  {
    name: 'trunnion_drain_requests_in_flight',
    help: 'Requests that a drain under way waits for, where the engine tells.',
    of: ({ drain }) => sample(drain?.endedAt === undefined ? drain?.requestsInFlight : undefined),
  },
];

const hasDrained = ({ drain }: ModelServingStatus): boolean => drain?.endedAt !== undefined;

/** A service that is deleted is gone a moment after its drain: too soon for a gauge. */
const COUNTERS: readonly Counter<ModelServingStatus>[] = [
  {
    name: 'trunnion_drains_total',
    help: 'Drains that are over.',
    of: (before, after) => (hasDrained(after) && !hasDrained(before) ? [{ value: 1 }] : []),
  },
  {
    name: 'trunnion_drain_requests_cut_total',
    help: 'Requests that were still in flight when the time for the drain was over.',
    of: (before, after) => (hasDrained(after) && !hasDrained(before) ? [{ value: requestsCut(after.drain) }] : []),
  },
];

/** What a ModelServing has for metrics. */
export const FIGURES: Figures<ModelServingResource> = {
  phases: PHASES,
  gauges: [...REPLICA_GAUGES, ...GAUGES],
  counters: COUNTERS,
};
