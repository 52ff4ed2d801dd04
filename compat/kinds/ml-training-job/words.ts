import { aliasOf, roleAliasOf } from '../../../constructs/distributed-training/names.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { BareStatus, Resource } from '../../../operator/engine/api/index.ts';
import type { MLTrainingJobStatus } from './schema.ts';

/** Our phases in the words of the users of MLTrainingJob: what waits is Pending. */
const PHASES = {
  Pending: 'Pending',
  Queued: 'Pending',
  Running: 'Running',
  Restarting: 'Pending',
  Suspended: 'Pending',
  Completed: 'Completed',
  Failed: 'Failed',
} as const satisfies Record<NonNullable<DistributedTrainingStatus['phase']>, MLTrainingJobStatus['phase']>;

/** The status of a training in the words of the users of MLTrainingJob. */
export function wordsOf(
  { status }: BareStatus<DistributedTrainingStatus>,
  { metadata }: Resource,
): MLTrainingJobStatus {
  const { phase = 'Pending', startTime, completionTime, workerStatuses } = status;
  return {
    phase: PHASES[phase],
    ...(startTime !== undefined && { startTime }),
    ...(completionTime !== undefined && { completionTime }),
    ...(workerStatuses && {
      workerStatuses: workerStatuses.map(({ rank, pod, phase: podPhase, exitCode }) => ({
        name: aliasOf(metadata.name, rank),
        role: roleAliasOf(rank),
        pod,
        phase: podPhase,
        ...(exitCode !== undefined && { exitCode }),
      })),
    }),
  };
}
