import { conditionOf } from '../../operator/engine/api/index.ts';
import type { BareStatus, CommonStatus } from '../../operator/engine/api/index.ts';

/**
 * The phase of a ModelServing in the words of those who never knew an update in place: what is new is downloaded and
 * deployed, while what there is serves on.
 */
export function servingPhase({ status: { phase }, conditions }: BareStatus<CommonStatus>) {
  const isStuck = conditionOf(conditions, 'Progressing')?.status === 'False';
  switch (phase) {
    case 'Downloading':
    case 'Deploying':
    case 'Running':
    case 'Failed':
      return phase;
    case 'Updating':
      if (isStuck) return 'Failed';
      return conditionOf(conditions, 'WeightsReady')?.status === 'True' ? 'Deploying' : 'Downloading';
    case 'Draining':
      return 'Running';
    default:
      return 'Pending';
  }
}
