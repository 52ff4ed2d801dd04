import type { Target } from '../target.ts';
import { fileTargets } from './files.ts';
import { kubeTargets } from './kube.ts';
import { podTargets } from './pods.ts';
import { reviewTargets } from './reviews.ts';
import { sourceTargets } from './sources.ts';
import { specTargets } from './specs.ts';

/** By the file that has them. */
const GROUPS = {
  pods: podTargets,
  sources: sourceTargets,
  kube: kubeTargets,
  files: fileTargets,
  specs: specTargets,
  reviews: reviewTargets,
};

/** Every parser of bytes from outside. */
export const targets: readonly Target[] = Object.values(GROUPS).flat();

/** The file of this folder that has a target. */
export const fileOf = (target: Target): string =>
  `${Object.entries(GROUPS).find(([, group]) => group.includes(target))?.[0]}.ts`;

export function targetOf(name: string): Target {
  const target = targets.find((each) => each.name === name);
  if (target === undefined) {
    throw new Error(
      `there is no target ${JSON.stringify(name)}; there are ${targets.map((each) => each.name).join(', ')}`,
    );
  }
  return target;
}
