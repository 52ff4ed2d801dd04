import { mountsOther } from './observed.ts';
import type { Observed } from './observed.ts';

/** Why no replica can be added before an old one stops; undefined where one can. */
export function surgeHindrance({ mode, servers, spec }: Observed): string | undefined {
  if (spec.rollout?.maxSurge === 0 && servers.length <= 1) {
    return 'rollout.maxSurge is 0, so a change stops the only server before the new one starts';
  }
  // Another model has a volume of its own.
  if (mode !== 'server' || servers.some((pod) => mountsOther(pod, spec.model))) return undefined;
  return 'one node alone may mount a ReadWriteOnce volume, so a change that keeps the model stops the server before the new one starts';
}
