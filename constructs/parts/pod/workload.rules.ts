import type { Rule } from '../../schema/rules.ts';

/**
 * Rules of a resource whose name a Service gets.
 *
 * @param maxLength - of the name, such that all names and labels that derive from it have at most 63 characters
 */
export const nameRules = (maxLength: number): readonly Rule[] => [
  {
    rule: `self.metadata.name.size() <= ${maxLength}`,
    fieldPath: '.metadata.name',
    message: `must have at most ${maxLength} characters, so that the names of all that is made from it fit: choose a shorter name`,
  },
  {
    rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    fieldPath: '.metadata.name',
    message:
      'must be lower-case letters, digits and "-", beginning with a letter and ending with a letter or digit, since a Service gets this name',
  },
];

/** Rules of a `spec` with `replicas`, `autoscaling` and `resources`. */
export const scalingRules: readonly Rule[] = [
  {
    rule: '!(has(self.replicas) && has(self.autoscaling))',
    fieldPath: '.replicas',
    message: 'must be left out where autoscaling is given, since both would set it: leave out one of them',
  },
  {
    rule: '!has(self.autoscaling) || !has(self.autoscaling.targets.cpuPercent) || has(self.resources.cpu)',
    fieldPath: '.resources.cpu',
    message: 'is required by autoscaling.targets.cpuPercent, which is in percent of it',
  },
];

/** Rules of a `spec` with `drain`. */
export const drainRules: readonly Rule[] = [
  {
    rule: '!has(self.podTemplate) || !has(self.podTemplate.spec) || !has(self.podTemplate.spec.terminationGracePeriodSeconds) || self.podTemplate.spec.terminationGracePeriodSeconds >= self.drain.timeoutSeconds',
    fieldPath: '.podTemplate.spec.terminationGracePeriodSeconds',
    message: 'must be at least drain.timeoutSeconds, or requests in flight are cut off',
  },
];
