import type { Fields } from './fields.ts';

/** Where nothing says how large the weights are: enough for 40 billion parameters at two bytes each. */
const DEFAULT_SIZE = '100Gi';

/** Where nothing says at which use to scale. */
const CPU_PERCENT = 80;

/** The volume that the weights are fetched onto, of which others say nothing: they fetch anew into each pod. */
export function fetchedStorage(fields: Fields, uri: string | undefined): object {
  if (uri === undefined || /^(pvc|oci):/.test(uri)) return {};
  fields.tell(
    'spec.storage',
    `is chosen: ${DEFAULT_SIZE} that all replicas share; give the size of the weights, and a storage class that can`,
  );
  return { storage: { size: DEFAULT_SIZE, accessMode: 'ReadWriteMany' } };
}

/** The fewest replicas: of a service there is at least one, at which its autoscaler can see a load. */
export function fewestOf(fields: Fields, fallback: number): number {
  const fewest = fields.number('minReplicas') ?? fallback;
  if (fewest < 1) fields.note('minReplicas', 'a service is not scaled to zero: 1 is its least');
  return Math.max(1, fewest);
}

/** An autoscaler that needs nothing else to be installed, where others scale by what nothing here counts. */
export function scalingByCpu(fields: Fields, minReplicas: number, maxReplicas: number, percent?: number): object {
  if (percent === undefined) {
    fields.note(
      'maxReplicas',
      `it is scaled by CPU, at ${CPU_PERCENT} percent; autoscaling.targets has latencies and queues, which need Prometheus and KEDA`,
    );
  }
  return { minReplicas, maxReplicas, targets: { cpuPercent: percent ?? CPU_PERCENT } };
}
