import type { Snapshot } from '../../engine/api/index.ts';
import type { Accelerators } from './accelerators.ts';
import type { Diagnosis } from './diagnosis-text.ts';
import { quote } from './diagnosis-text.ts';
import type { Outlook } from './nodes.ts';
import { adviceOnNodes, areAllCordoned, cordonedIn, tooLarge } from './nodes-refuse.ts';

const ABOUT_VOLUMES =
  /persistentvolume|persistent volume|storageclass|pvc\(s\)|free storage|volume zone|max volume count/i;
/**
 * What of it another node may fix, since it is about where the volume can be used: Kubernetes 1.36,
 * pkg/scheduler/framework/plugins: volumebinding, volumezone and nodevolumelimits, and the words of earlier releases.
 */
const ABOUT_PLACE =
  /node\(s\) (?:had volume node affinity conflict|didn't match PersistentVolume's node affinity|had no available volume zone|exceed max volume count|did not have enough free storage)/g;
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
  readonly answers?: Snapshot['answers'];
}

/**
 * Why the scheduler found no node, from its own words:
 * `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. preemption: 0/3 nodes are available: 3 No preemption victims found …`
 *
 * "Insufficient" alone does not tell a GPU that is in use from one that does not exist. The second half does: where the
 * node could never hold the pod, preemption "is not helpful"; where it holds others now, "no victims" were found.
 */
export function unschedulable(words: string, asked: Accelerators, around: Surroundings = {}): Diagnosis {
  const { outlook, held = 0 } = around;
  const [fit = '', preemption] = words.split(/\bpreemption: /);
  const lacksGpu = asked.gpu > 0 && fit.includes(`Insufficient ${asked.gpuResource}`);
  const nodeAdvice = adviceOnNodes(fit);
  const advice = (first: string): string => [first, ...nodeAdvice].join(' ');
  const inUse = LACKS.test(fit) && (preemption === undefined || ABOUT_USE.test(preemption));
  const statement = `The scheduler says: ${quote(words)}.`;
  const makesRoom = held > 0 ? ownPods(held) : undefined;
  const end = (reported: Omit<Reported, 'statement'>): Diagnosis => withOutlook({ ...reported, statement }, outlook);
  if (lacksGpu && inUse) {
    const lack = `All ${gpuName(asked)} are in use, and ${gpus(asked)} are needed on one node.`;
    const free = advice(makesRoom ?? 'Free some or add nodes; it continues by itself.');
    return end({ reason: 'InsufficientGPUs', lack, advice: free, passes: true, makesRoom });
  }
  if (ABOUT_VOLUMES.test(fit.replaceAll(ABOUT_PLACE, ''))) {
    return {
      reason: 'VolumeNotBound',
      message: `The volume can't be had where the pod may run. Check its claim and storage class. ${statement}`,
      stuck: !ABOUT_BINDING.test(fit),
    };
  }
  if (inUse) {
    const lack = 'No node can take the pod as long as others run there.';
    const free = advice(makesRoom ?? 'Free some room or add nodes; it continues by itself.');
    return end({ reason: 'Unschedulable', lack, advice: free, passes: true, makesRoom });
  }
  if (areAllCordoned(fit)) {
    const lack = 'All nodes are cordoned, so none takes a pod.';
    return end({ reason: 'NodesCordoned', lack, advice: nodeAdvice.join(' '), passes: true });
  }
  const large = tooLarge(fit, asked);
  if (large.length > 0) {
    const lack = `Of the nodes where it may run, none has so much even when it is empty: ${large.join(', ')}.`;
    const less = 'Ask for less, or add larger nodes: kubectl describe nodes tells what each has (Allocatable).';
    return end({ reason: 'Unschedulable', lack, advice: advice(less) });
  }
  if (fit.search(ABOUT_PLACE) >= 0) {
    const lack = "Its volume can't be used on any node that could take the pod.";
    const there =
      'Add nodes where the volume is (kubectl describe pv names its zone or node), or create it again elsewhere.';
    return end({ reason: 'Unschedulable', lack, advice: advice(there) });
  }
  const isGpu = lacksGpu || (asked.gpuProduct !== undefined && ABOUT_SELECTION.test(fit));
  const lack = isGpu ? `No node has ${gpus(asked)}.` : 'No node can take the pod.';
  const correct = isGpu
    ? 'Correct resources.gpuProduct, resources.gpuResource or resources.gpu, or add such nodes.'
    : 'Correct what it asks for, or add nodes.';
  if (cordonedIn(fit) > 0) {
    const others = `${lack.slice(0, -1)}, unless a cordoned one does.`;
    return end({
      reason: 'NodesCordoned',
      lack: others,
      advice: `${nodeAdvice.join(' ')} Else: ${correct}`,
      passes: true,
    });
  }
  const reported = { lack, advice: advice(correct) };
  return isGpu ? end({ reason: 'NoSuchGPU', ...reported }) : end({ reason: 'Unschedulable', ...reported });
}

/** A pod that finds no node, in parts. */
interface Reported {
  readonly reason: string;
  readonly lack: string;
  readonly advice: string;
  /** The scheduler's words. */
  readonly statement: string;
  /**
   * Whether it may pass without another node: pods end that hold the room, a node that is being looked after is uncordoned.
   *
   * @default false
   */
  readonly passes?: boolean;
  /**
   * What helps without another node.
   *
   * @default - nothing is known
   */
  readonly makesRoom?: string | undefined;
}

/**
 * What no node there is can fix. An autoscaler may add one that can, and so may a person: only where an autoscaler says
 * that none of its nodes would do, and nothing else may pass, does waiting not help.
 */
function withOutlook(
  { reason, lack, advice, statement, passes = false, makesRoom }: Reported,
  { nodes, words }: Outlook = { nodes: 'open', words: '' },
): Diagnosis {
  const reported = words === '' ? '' : ` The autoscaler says: ${words}.`;
  switch (nodes) {
    case 'coming':
      return { reason: 'WaitingForNode', message: `${lack} ${COMING}${reported} ${statement}`, stuck: false };
    case 'later': {
      const meanwhile = makesRoom === undefined ? '' : ` ${makesRoom}`;
      return {
        reason: 'WaitingForNode',
        message: `${lack} ${LATER}${reported}${meanwhile} ${statement}`,
        stuck: false,
      };
    }
    case 'open': {
      const mayCome = passes
        ? reported
        : ` ${OPEN}${reported === '' ? ' No autoscaler is known to have said anything.' : reported}`;
      return { reason, message: `${lack} ${advice}${mayCome} ${statement}`, stuck: false };
    }
    case 'none':
      return { reason, message: `${lack} ${advice}${reported} ${statement}`, stuck: !passes };
  }
}

const OPEN = 'Such a node may still come; the pod then starts on it by itself.';
const COMING = 'An autoscaler adds one, and the pod starts on it by itself.';
const LATER = 'The autoscaler adds none for now. Raise the limit that it names, or wait until that passes.';

const ownPods = (held: number): string =>
  `${held === 1 ? 'A pod of its own earlier template, which stays until a new one is ready, holds' : `${held} pods of its own earlier template, which stay until a new one is ready, hold`} what it needs. Free some, add nodes, or set rollout.maxSurge: 0, so that an old pod stops before the new one starts.`;

const gpuName = ({ gpuResource, gpuProduct }: Accelerators): string =>
  gpuProduct === undefined ? gpuResource : `${gpuResource} of ${gpuProduct}`;

/** A pod without GPUs may have to stand where its server will: a fetch. */
const gpus = (asked: Accelerators): string => (asked.gpu > 0 ? `${asked.gpu} × ${gpuName(asked)}` : gpuName(asked));
