import { commonWarnings } from '../parts/warnings.ts';
import type { DistributedTrainingSpec } from './spec.ts';

/**
 * What its user should know of a valid spec before it runs; the same sentences in all hosts. Each names the field to
 * change.
 */
export function warningsOf(spec: DistributedTrainingSpec): readonly string[] {
  const warnings: readonly (string | false)[] = [
    spec.spot &&
      spec.checkpoint === undefined &&
      'spec.checkpoint: spot nodes are taken away at any time, and without checkpoints each attempt starts from nothing',
    spec.checkpoint?.uri.startsWith('pvc://') === true &&
      spec.replicas > 1 &&
      'spec.checkpoint.uri: the claim must be one that several nodes may mount (ReadWriteMany), or its pods wait for each other for ever',
    spec.gang?.scheduler === 'volcano' && 'spec.gang.scheduler: Volcano must be installed, or no pod is ever scheduled',
    spec.queue !== undefined &&
      spec.gang?.scheduler !== 'volcano' &&
      'spec.queue: Kueue must be installed, or the training starts without waiting for its turn',
    ...commonWarnings(spec),
  ];
  return warnings.filter((warning) => warning !== false);
}
