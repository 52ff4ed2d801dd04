import type { Figures } from '../../engine/api/index.ts';
import { REPLICA_GAUGES } from '../shared/figures.ts';
import type { Phase } from './phase.ts';
import type { AgentServiceResource } from './observed.ts';

const PHASES: Readonly<Record<Phase, string>> = {
  Pending: 'No pod of it takes requests yet.',
  Running: 'It serves as its spec says.',
  Scaling: 'It serves, and pods are being added or removed.',
  Updating: 'It serves, and is being brought to what its spec says.',
  Stopped: 'It is scaled to zero, until there is work.',
  Error: 'It does not serve, and will not until something is changed.',
};

/** What an AgentService has for metrics. */
export const FIGURES: Figures<AgentServiceResource> = { phases: PHASES, gauges: REPLICA_GAUGES, counters: [] };
