import type { Target } from '../target.ts';
import { fileTargets } from './files.ts';
import { kubeTargets } from './kube.ts';
import { podTargets } from './pods.ts';
import { sourceTargets } from './sources.ts';
import { specTargets } from './specs.ts';

/** Every parser of bytes from outside. */
export const targets: readonly Target[] = [
  ...podTargets,
  ...sourceTargets,
  ...kubeTargets,
  ...fileTargets,
  ...specTargets,
];

export function targetOf(name: string): Target {
  const target = targets.find((each) => each.name === name);
  if (target === undefined) {
    throw new Error(
      `there is no target ${JSON.stringify(name)}; there are ${targets.map((each) => each.name).join(', ')}`,
    );
  }
  return target;
}
