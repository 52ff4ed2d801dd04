import { commonWarnings } from '../parts/warnings.ts';
import { isSingleMount } from './blueprint.ts';
import type { ModelServingSpec } from './spec.ts';

/**
 * What its user should know of a valid spec before it runs; the same sentences in all hosts. Each names the field to
 * change.
 */
export function warningsOf(spec: ModelServingSpec): readonly string[] {
  const restarts = 'a change of the image or of arguments stops the service until the new pod has loaded the model';
  const warnings: readonly (string | false)[] = [
    isSingleMount(spec) &&
      `spec.storage.accessMode: on a ReadWriteOnce volume there is one replica and no room for a second, so ${restarts}; choose ReadWriteMany to roll without a gap`,
    !isSingleMount(spec) &&
      spec.rollout?.maxSurge === 0 &&
      spec.replicas === 1 &&
      `spec.rollout.maxSurge: with 0 and one replica ${restarts}; leave room for one more replica to roll without a gap`,
    spec.autoscaling?.prometheus !== undefined &&
      'spec.autoscaling.targets: what is not cpuPercent is scaled by KEDA, which must be installed, and Prometheus must scrape the pods and keep the labels namespace and pod',
    ...commonWarnings(spec),
  ];
  return warnings.filter((warning) => warning !== false);
}
