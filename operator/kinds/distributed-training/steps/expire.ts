import type { DistributedTrainingSpec } from '../../../../constructs/distributed-training/spec.ts';
import { instant } from '../../../engine/api/index.ts';
import type { TrainingStep } from '../context.ts';

/** Deletes the training `ttlSecondsAfterFinished` after its end; that end is in its status before. */
export const expire: TrainingStep = ({ observed: { spec, status }, now }) => expiry(spec, status.completionTime, now);

/**
 * The expiry of a training, or of a search.
 *
 * @param completionTime - absent as long as it continues
 */
export function expiry(
  { ttlSecondsAfterFinished }: Pick<DistributedTrainingSpec, 'ttlSecondsAfterFinished'>,
  completionTime: string | undefined,
  now: number,
): { readonly expire?: boolean; readonly requeueAt?: number } {
  const end = instant(completionTime);
  if (end === undefined || ttlSecondsAfterFinished === undefined) return {};
  const at = end + ttlSecondsAfterFinished * 1000;
  return now >= at ? { expire: true } : { requeueAt: at };
}
