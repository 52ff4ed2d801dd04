import type { V1Node, V1Pod, V1Taint, V1Toleration } from '@kubernetes/client-node';
import type { KubeObject } from '../../operator/kube/index.ts';
import type { Needs } from './fit.ts';
import { couldHold } from './fit.ts';

type Node = KubeObject & Pick<V1Node, 'spec' | 'status'>;

/** So many nodes are named; the others are counted. */
const MOST_NAMED = 3;

/** Kubernetes puts it on a node that is cordoned (pkg/controller/nodelifecycle, 1.36), beside `spec.unschedulable`. */
const CORDONED = 'node.kubernetes.io/unschedulable';

/**
 * Why nodes that could hold a pod take none: they are cordoned, or tainted. A sentence for each cause, with what to type.
 *
 * @param pod - that finds no node
 */
export function closedNodes(pod: KubeObject, needs: Needs, nodes: readonly KubeObject[]): readonly string[] {
  const { tolerations = [] } = (pod as KubeObject & Pick<V1Pod, 'spec'>).spec ?? {};
  const able = (nodes as readonly Node[]).filter((node) => couldHold(node, needs));
  const cordoned = able.filter(({ spec }) => spec?.unschedulable === true);
  const open = able.filter((node) => !cordoned.includes(node));
  const closed = Map.groupBy(
    open.flatMap((node) => {
      const taint = untolerated(node, tolerations)[0];
      return taint === undefined ? [] : [{ node, taint: inWords(taint) }];
    }),
    ({ taint }) => taint,
  );
  return [
    ...(cordoned.length > 0
      ? [
          `${namesOf(cordoned)} could hold it and ${be(cordoned)} cordoned: kubectl uncordon ${cordoned[0]?.metadata.name}`,
        ]
      : []),
    ...[...closed].map(([taint, those]) => {
      const named = those.map(({ node }) => node);
      return `${namesOf(named)} could hold it and ${have(named)} the taint ${taint}: ${adviceOn(taint, named[0]?.metadata.name ?? '')}`;
    }),
  ];
}

/** Taints that keep a pod off a node. */
const untolerated = ({ spec }: Node, tolerations: readonly V1Toleration[]): readonly V1Taint[] =>
  (spec?.taints ?? []).filter(
    (taint) =>
      taint.effect !== 'PreferNoSchedule' &&
      taint.key !== CORDONED &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );

/** As the scheduler has it: staging/src/k8s.io/component-helpers/scheduling/corev1, Kubernetes 1.36. */
function tolerates({ key = '', operator = 'Equal', value = '', effect = '' }: V1Toleration, taint: V1Taint): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''));
}

/** Taints that Kubernetes, a cloud or an autoscaler puts on nodes, and removes itself. */
const BY_OTHERS = /^(?:node\.kubernetes\.io|node\.cloudprovider\.kubernetes\.io|karpenter\.sh)\/|ByClusterAutoscaler/;

const adviceOn = (taint: string, node: string): string =>
  BY_OTHERS.test(taint)
    ? `kubectl describe node ${node} tells why, and it goes by itself`
    : `name it in spec.tolerations, or remove it: kubectl taint node ${node} ${taint}-`;

const inWords = ({ key, value = '', effect }: V1Taint): string => `${key}${value === '' ? '' : `=${value}`}:${effect}`;

function namesOf(nodes: readonly KubeObject[]): string {
  const names = nodes.slice(0, MOST_NAMED).map(({ metadata }) => metadata.name);
  const more = nodes.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

const be = (nodes: readonly unknown[]): string => (nodes.length === 1 ? 'is' : 'are');
const have = (nodes: readonly unknown[]): string => (nodes.length === 1 ? 'has' : 'have');
