import type { Finding } from './finding.ts';
import { quote } from './finding.ts';

/** The accelerators that a pod asks for: `spec.resources` of every kind. */
export interface Accelerators {
  readonly gpu: number;
  readonly gpuResource: string;
  readonly gpuProduct?: string;
}

const ABOUT_VOLUMES =
  /persistentvolume|persistent volume|storageclass|pvc\(s\)|free storage|volume zone|max volume count/i;
/** What the scheduler says of each new volume for a moment, until it is bound. */
const ABOUT_BINDING = /unbound immediate PersistentVolumeClaims/i;
const ABOUT_SELECTION = /didn't match Pod's node affinity\/selector/;
/** What the preemption plugin says of a node on which removing others could have made room. */
const ABOUT_USE = /preemption victims/i;

/**
 * Why the scheduler found no node, from its own words:
 * `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. preemption: 0/3 nodes are available: 3 No preemption victims found …`
 *
 * "Insufficient" alone does not tell a GPU that is in use from one that does not exist. The second half does: where the
 * node could never hold the pod, preemption "is not helpful"; where it holds others now, "no victims" were found.
 */
export function unschedulable(words: string, asked: Accelerators): Finding {
  const [fit = '', preemption] = words.split(/\bpreemption: /);
  const lacksGpu = asked.gpu > 0 && fit.includes(`Insufficient ${asked.gpuResource}`);
  const inUse = lacksGpu && (preemption === undefined || ABOUT_USE.test(preemption));
  if (inUse) {
    return {
      reason: 'InsufficientGPUs',
      message: `All ${gpuName(asked)} are in use, and ${gpus(asked)} are needed on one node. Free some or add nodes; it goes on by itself. The scheduler says: ${quote(words)}.`,
      stuck: false,
    };
  }
  if (ABOUT_VOLUMES.test(fit)) {
    return {
      reason: 'VolumeNotBound',
      message: `The volume can't be had where the pod may run. Check its claim and storage class. The scheduler says: ${quote(words)}.`,
      stuck: !ABOUT_BINDING.test(fit),
    };
  }
  if (lacksGpu || (asked.gpuProduct !== undefined && ABOUT_SELECTION.test(fit))) {
    return {
      reason: 'NoSuchGPU',
      message: `No node has ${gpus(asked)}. Correct resources.gpuProduct, resources.gpuResource or resources.gpu, or add such nodes. The scheduler says: ${quote(words)}.`,
      stuck: true,
    };
  }
  return {
    reason: 'Unschedulable',
    message: `No node can take the pod. Correct what it asks for, or add nodes. The scheduler says: ${quote(words)}.`,
    stuck: true,
  };
}

const gpuName = ({ gpuResource, gpuProduct }: Accelerators): string =>
  gpuProduct === undefined ? gpuResource : `${gpuResource} of ${gpuProduct}`;

const gpus = (asked: Accelerators): string => `${asked.gpu} × ${gpuName(asked)}`;
