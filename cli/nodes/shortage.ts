import type { KubeObject } from '../../operator/kube/index.ts';
import { closedNodes } from './closed.ts';
import { couldHold, misfits } from './fit.ts';
import { isTooLarge, lacksDevice, needsOfPod } from './needs.ts';
import { usersOf } from './users.ts';

/** What is known where a pod finds no node. */
export interface Cluster {
  /** The resource that the pod is of. */
  readonly resource: Parameters<typeof needsOfPod>[1];
  readonly nodes: readonly KubeObject[];
  /** Pods on the nodes that {@link nodesInUse} names; undefined where they may not be looked at. */
  readonly neighbours: readonly KubeObject[] | undefined;
}

/** Why a pod finds no node, as far as the nodes tell: what fits none, which are closed to it, and who holds what it lacks. */
export function shortageOf(pod: KubeObject, { resource, nodes, neighbours }: Cluster): readonly string[] {
  const needs = needsOfPod(pod, resource);
  const device = lacksDevice(pod);
  const users = device === undefined || neighbours === undefined ? undefined : usersOf(device, neighbours);
  return [
    ...(isTooLarge(pod) ? misfits(needs, nodes) : []),
    ...closedNodes(pod, needs, nodes),
    ...(users === undefined ? [] : [users]),
  ];
}

/** The nodes that could hold one of these pods, and lack a device that it asks for: others hold it. */
export const nodesInUse = (pods: readonly KubeObject[], nodes: readonly KubeObject[]): readonly KubeObject[] =>
  nodes.filter((node) =>
    pods.some((pod) => lacksDevice(pod) !== undefined && couldHold(node, needsOfPod(pod, { apiVersion: '' }))),
  );
