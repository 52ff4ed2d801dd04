import { commonWarnings } from '../parts/warnings.ts';
import type { Host } from '../schema/parse.ts';
import { TRAINER } from './parts.ts';
import type { DistributedTrainingSpec } from './spec.ts';

/**
 * What its user should know of a valid spec before it runs. Each names the field to change. Of containers beside the
 * program only hosts without an operator warn: under the operator the end of the program is the end of the rank.
 */
export function warningsOf(spec: DistributedTrainingSpec, host: Host): readonly string[] {
  const beside = spec.podTemplate?.spec?.containers?.map(({ name }) => name).filter((name) => name !== TRAINER) ?? [];
  const warnings: readonly (string | false)[] = [
    spec.spot &&
      spec.checkpoint === undefined &&
      'spec.checkpoint: spot nodes are removed at any time, and without checkpoints each attempt starts from nothing',
    spec.checkpoint?.uri.startsWith('pvc://') === true &&
      spec.replicas > 1 &&
      'spec.checkpoint.uri: the claim must be one that several nodes may mount (ReadWriteMany), or its pods wait for each other forever',
    spec.gang?.scheduler === 'volcano' && 'spec.gang.scheduler: Volcano must be installed, or no pod is ever scheduled',
    spec.queue !== undefined &&
      spec.gang?.scheduler !== 'volcano' &&
      'spec.queue: Kueue must be installed, or the training starts without waiting for its turn',
    host === 'static' &&
      beside.length > 0 &&
      `spec.podTemplate.spec.containers: without the operator, a pod ends with the last of its containers, and well only if all did, so ${beside.join(', ')} may keep the training from its end or have it run again: move what runs beside the program to initContainers, with restartPolicy Always`,
    ...commonWarnings(spec),
  ];
  return warnings.filter((warning) => warning !== false);
}
