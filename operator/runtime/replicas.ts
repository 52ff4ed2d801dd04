import { objectIn } from '../../constructs/schema/json.ts';
import { identityOf } from '../engine/api/index.ts';
import type { DesiredState, ObservedChild } from '../engine/api/index.ts';
import { isFinite, isWorkload } from '../engine/observe/index.ts';

/** What the scale subresource reads of a status. */
export interface Replicas {
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly selector: string;
}

/** The pods of all children that run on, added up; they are selected by the labels that their templates share. */
export function replicasOf(desired: readonly DesiredState[], children: readonly ObservedChild[]): Replicas {
  const wanted = new Set(desired.map(({ object }) => identityOf(object)));
  const running = children.filter(
    (child) => wanted.has(identityOf(child)) && isWorkload(child) && !isFinite(child) && !child.deleting,
  );
  const sum = (field: string): number =>
    running.map(({ slice }) => objectIn(slice['status'])[field]).reduce<number>((all, count) => all + amount(count), 0);
  return { replicas: sum('replicas'), readyReplicas: sum('readyReplicas'), selector: sharedLabels(running) };
}

const amount = (value: unknown): number => (typeof value === 'number' ? value : 0);

const sharedLabels = (children: readonly ObservedChild[]): string => {
  const [first = {}, ...others] = children.map(({ podLabels = {} }) => podLabels);
  return Object.entries(first)
    .filter(([key, value]) => others.every((labels) => labels[key] === value))
    .map(([key, value]) => `${key}=${value}`)
    .toSorted()
    .join(',');
};
