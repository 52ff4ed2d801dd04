import type { Accelerators } from './accelerators.ts';

/**
 * What the scheduler says of nodes that can't take a pod, whatever runs on them. It names the first of its plugins that
 * refuses a node, and counts the nodes by those words. Kubernetes 1.36, pkg/scheduler/framework/plugins:
 * nodeunschedulable/node_unschedulable.go, tainttoleration/taint_toleration.go, noderesources/fit.go; and
 * pkg/scheduler/framework/types.go, which makes "0/4 nodes are available: 1 Insufficient cpu, 3 …" of them.
 */
const CORDONED = 'node(s) were unschedulable';
const TAINTED = 'node(s) had untolerated taint';

/** How many nodes are cordoned, of those that the scheduler is about. */
export const cordonedIn = (words: string): number => countOf(words, (why) => why === CORDONED);

/** Whether no node of the cluster takes any pod, since all are cordoned. */
export const areAllCordoned = (words: string): boolean =>
  cordonedIn(words) > 0 && words.startsWith(`0/${cordonedIn(words)} `);

/** What people do about nodes that are there, and take no pod, or not this one: a sentence for each cause. */
export function adviceOnNodes(words: string): readonly string[] {
  const cordoned = cordonedIn(words);
  const tainted = countOf(words, (why) => why.startsWith(TAINTED));
  const advice: readonly (string | false)[] = [
    cordoned > 0 &&
      `${nodes(cordoned)} cordoned (kubectl get nodes says SchedulingDisabled): kubectl uncordon NODE lets pods onto one again.`,
    tainted > 0 &&
      `${nodes(tainted)} tainted, and the pod does not tolerate it (kubectl describe node has the taints): if such a node is meant, name its taint in tolerations.`,
  ];
  return advice.filter((each) => each !== false);
}

/**
 * What of a pod fits no node even where no other pod runs, by the fields that ask for it, where one does. The scheduler
 * names all that a node lacks, so more nodes that lack memory than such that lack a GPU means that some have the GPU.
 */
export const tooLarge = (words: string, asked: Accelerators): readonly string[] =>
  (['cpu', 'memory'] as const)
    .filter((name) => lacking(words, name) > (asked.gpu > 0 ? lacking(words, asked.gpuResource) : 0))
    .map((name) => (asked[name] === undefined ? name : `resources.${name}: ${asked[name]}`));

/** How many nodes lack some of a resource. */
const lacking = (words: string, resource: string): number =>
  countOf(words, (why) => why === `Insufficient ${resource}`);

/** How many nodes refuse a pod for such a cause. */
function countOf(words: string, isIt: (why: string) => boolean): number {
  const statement = words.slice(words.indexOf(': ') + 2).trim();
  // What comes after the first sentence is of other plugins: "no new claims to deallocate, preemption: 0/4 nodes …".
  const end = statement.search(/\.(?:\s|$)/);
  const each = (end < 0 ? statement : statement.slice(0, end)).split(', ');
  const found = each.find((cause) => isIt(cause.slice(cause.indexOf(' ') + 1)));
  return found === undefined ? 0 : Number.parseInt(found, 10) || 0;
}

const nodes = (count: number): string => (count === 1 ? '1 node is' : `${count} nodes are`);
