import type { Snapshot } from '../../engine/kind.ts';
import type { Finding } from './finding.ts';
import { quote } from './finding.ts';
import type { Outlook } from './nodes.ts';
import { adviceOnNodes, areAllCordoned, cordonedIn, tooLarge } from './nodes-refuse.ts';

/** What a pod asks for: `spec.resources` of every kind. */
export interface Accelerators {
  readonly gpu: number;
  readonly gpuResource: string;
  readonly gpuProduct?: string;
  /**
   * CPU and memory, where a field of the spec says how much.
   *
   * @default - they are told without an amount
   */
  readonly cpu?: string | number;
  readonly memory?: string | number;
}

const ABOUT_VOLUMES =
  /persistentvolume|persistent volume|storageclass|pvc\(s\)|free storage|volume zone|max volume count/i;
/** What the scheduler says of each new volume for a moment, until it is bound. */
const ABOUT_BINDING = /unbound immediate PersistentVolumeClaims/i;
const ABOUT_SELECTION = /didn't match Pod's node affinity\/selector/;
/**
 * What the preemption plugin says of a node on which removing others could have made room, and of a pod that may not have
 * others removed, for which it looks at no node ("not eligible due to preemptionPolicy=Never.").
 */
const ABOUT_USE = /preemption victims|not eligible/i;

/** By this the scheduler says that a node has too little left: of a resource, or of its number of pods. */
const LACKS = /Insufficient |Too many pods/;

/** What is known of a pod beside the scheduler's words. */
export interface Surroundings {
  /** Whether nodes may be added; undefined where nobody asks. */
  readonly outlook?: Outlook | undefined;
  /**
   * How many pods of an earlier template, which the same workload holds on to until a new one is ready, though it could
   * let go of one before by `rollout.maxSurge: 0`.
   *
   * @default 0
   */
  readonly held?: number;
  /**
   * What was found out by asking: the last words of containers that nobody else tells.
   *
   * @default - nothing
   */
  readonly facts?: Snapshot['facts'];
}

/**
 * Why the scheduler found no node, from its own words:
 * `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. preemption: 0/3 nodes are available: 3 No preemption victims found …`
 *
 * "Insufficient" alone does not tell a GPU that is in use from one that does not exist. The second half does: where the
 * node could never hold the pod, preemption "is not helpful"; where it holds others now, "no victims" were found.
 */
export function unschedulable(words: string, asked: Accelerators, around: Surroundings = {}): Finding {
  const { outlook, held = 0 } = around;
  const [fit = '', preemption] = words.split(/\bpreemption: /);
  const lacksGpu = asked.gpu > 0 && fit.includes(`Insufficient ${asked.gpuResource}`);
  const nodeAdvice = adviceOnNodes(fit);
  const advice = (first: string): string => [first, ...nodeAdvice].join(' ');
  const inUse = LACKS.test(fit) && (preemption === undefined || ABOUT_USE.test(preemption));
  const said = `The scheduler says: ${quote(words)}.`;
  const makesRoom = held > 0 ? ownPods(held) : undefined;
  if (lacksGpu && inUse) {
    const lack = `All ${gpuName(asked)} are in use, and ${gpus(asked)} are needed on one node.`;
    const free = advice(makesRoom ?? 'Free some or add nodes; it goes on by itself.');
    return {
      ...withOutlook({ reason: 'InsufficientGPUs', lack, advice: free, said }, outlook, makesRoom),
      stuck: false,
    };
  }
  if (ABOUT_VOLUMES.test(fit)) {
    return {
      reason: 'VolumeNotBound',
      message: `The volume can't be had where the pod may run. Check its claim and storage class. ${said}`,
      stuck: !ABOUT_BINDING.test(fit),
    };
  }
  if (inUse) {
    const lack = 'No node can take the pod as long as others run there.';
    const free = advice(makesRoom ?? 'Free some room or add nodes; it goes on by itself.');
    return { ...withOutlook({ reason: 'Unschedulable', lack, advice: free, said }, outlook, makesRoom), stuck: false };
  }
  if (areAllCordoned(fit)) {
    const lack = 'All nodes are cordoned, so none takes a pod.';
    return withOutlook({ reason: 'NodesCordoned', lack, advice: nodeAdvice.join(' '), said }, outlook);
  }
  const large = tooLarge(fit, asked);
  if (large.length > 0) {
    const lack = `Of the nodes where it may run, none has so much even when it is empty: ${large.join(', ')}.`;
    const less = 'Ask for less, or add larger nodes: kubectl describe nodes tells what each has (Allocatable).';
    return withOutlook({ reason: 'Unschedulable', lack, advice: advice(less), said }, outlook);
  }
  const isGpu = lacksGpu || (asked.gpuProduct !== undefined && ABOUT_SELECTION.test(fit));
  const lack = isGpu ? `No node has ${gpus(asked)}.` : 'No node can take the pod.';
  const correct = isGpu
    ? 'Correct resources.gpuProduct, resources.gpuResource or resources.gpu, or add such nodes.'
    : 'Correct what it asks for, or add nodes.';
  if (cordonedIn(fit) > 0) {
    const others = `${lack.slice(0, -1)}, unless a cordoned one does.`;
    return withOutlook(
      { reason: 'NodesCordoned', lack: others, advice: `${nodeAdvice.join(' ')} Else: ${correct}`, said },
      outlook,
    );
  }
  const told = { lack, advice: advice(correct), said };
  if (isGpu) return withOutlook({ reason: 'NoSuchGPU', ...told }, outlook);
  return withOutlook({ reason: 'Unschedulable', ...told }, outlook);
}

/**
 * What no node there is can mend; an autoscaler may add one that can.
 *
 * @param makesRoom - what helps without another node
 */
function withOutlook(
  { reason, lack, advice, said }: Readonly<Record<'reason' | 'lack' | 'advice' | 'said', string>>,
  outlook: Outlook = { nodes: 'none', words: '' },
  makesRoom?: string,
): Finding {
  const { nodes, words } = outlook;
  const told = words === '' ? '' : ` The autoscaler says: ${words}.`;
  switch (nodes) {
    case 'coming':
      return { reason: 'WaitingForNode', message: `${lack} ${COMING}${told} ${said}`, stuck: false };
    case 'later': {
      const meanwhile = makesRoom === undefined ? '' : ` ${makesRoom}`;
      return { reason: 'WaitingForNode', message: `${lack} ${LATER}${told}${meanwhile} ${said}`, stuck: false };
    }
    case 'open':
    case 'none':
      return { reason, message: `${lack} ${advice}${told} ${said}`, stuck: nodes === 'none' };
  }
}

const COMING = 'An autoscaler adds one, and the pod starts on it by itself.';
const LATER = 'The autoscaler adds none for now. Raise the limit that it names, or wait until that passes.';

const ownPods = (held: number): string =>
  `${held === 1 ? 'A pod of its own earlier template, which stays until a new one is ready, holds' : `${held} pods of its own earlier template, which stay until a new one is ready, hold`} what it needs. Free some, add nodes, or set rollout.maxSurge: 0, so that an old pod stops before the new one starts.`;

const gpuName = ({ gpuResource, gpuProduct }: Accelerators): string =>
  gpuProduct === undefined ? gpuResource : `${gpuResource} of ${gpuProduct}`;

/** A pod without GPUs may have to stand where its server will: a fetch. */
const gpus = (asked: Accelerators): string => (asked.gpu > 0 ? `${asked.gpu} × ${gpuName(asked)}` : gpuName(asked));
