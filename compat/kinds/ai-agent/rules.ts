import type { Rule } from '../../../constructs/schema/rules.ts';

/** The CPUs that a replica asks for where it is scaled and its user doesn't say: targets are in percent of it. */
export const SCALED_CPU = '100m';

const BY_QUEUE = 'has(self.targets) && has(self.targets.queueDepth)';

/** Rules of `spec.autoscaling`, about the fields that its earlier operator did not have. */
export const autoscalingRules: readonly Rule[] = [
  {
    rule: `!(${BY_QUEUE}) || has(self.queue)`,
    fieldPath: '.queue',
    message:
      'is required by targets.queueDepth, which counts what waits in it: without a source, nothing would ever scale',
  },
  {
    rule: `!has(self.queue) || ${BY_QUEUE}`,
    fieldPath: '.targets.queueDepth',
    message: 'is required where queue is given: how many tasks one replica is to have, or leave out queue',
  },
];
