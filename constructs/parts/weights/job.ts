import type { Manifest } from '../../workload.ts';
import type { WeightsInput } from './input.ts';
import { shortHashOf, WEIGHTS_ANNOTATION, weightsKey } from './key.ts';
import { FETCH, PERMANENT_EXIT_CODES } from './layout.ts';
import { fetchPod } from './pod.ts';
import { fetcherLabels } from './volumes.ts';

/** How many pods may fail before the Job does: with its doubling pauses that is a good hour of a host that is down. */
const BACKOFF_LIMIT = 6;

/**
 * The Job that fetches weights onto a volume that several nodes may mount. It ends at once where no repetition helps,
 * and is not charged for pods that a node's drain ended. It has no deadline: how long a model takes is unknown, and the
 * fetcher itself gives up a host that stalls. Its name has a hash of its template, since that of a Job can't change; the URI is in
 * the template, so each model has a Job of its own.
 */
export function fetchJob(input: WeightsInput): Manifest {
  const { name, namespace, spec } = input;
  const template = fetchPod(input);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${name}-fetch-${shortHashOf(template)}`,
      namespace,
      labels: fetcherLabels(input),
      annotations: { [WEIGHTS_ANNOTATION]: weightsKey(spec.model) },
    },
    spec: {
      backoffLimit: BACKOFF_LIMIT,
      podFailurePolicy: {
        rules: [
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
          {
            action: 'FailJob',
            onExitCodes: { containerName: FETCH, operator: 'In', values: PERMANENT_EXIT_CODES },
          },
        ],
      },
      template,
    },
  };
}
