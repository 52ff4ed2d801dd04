import type { Rule } from '../../../constructs/schema/rules.ts';

/** Rules of `spec`, about the fields that its earlier operator did not have. */
export const specRules: readonly Rule[] = [
  {
    rule: "!has(self.elastic) || has(self.framework) && self.framework == 'pytorch'",
    fieldPath: '.elastic',
    message: 'is for framework pytorch only: leave it out',
  },
  {
    rule: '!has(self.elastic) || self.replicas >= self.elastic.minReplicas && self.replicas <= self.elastic.maxReplicas',
    fieldPath: '.replicas',
    message: 'must be from elastic.minReplicas to elastic.maxReplicas',
  },
  {
    rule: "!has(self.gang) || self.gang.scheduler != 'kueue' || has(self.queue)",
    fieldPath: '.queue',
    message: 'is required by gang.scheduler kueue, which starts what a queue admits',
  },
  {
    rule: '!has(self.resources) || !has(self.resources.gpuProduct) || has(self.resources.gpu) && self.resources.gpu > 0',
    fieldPath: '.resources.gpuProduct',
    message: 'selects a GPU, but resources.gpu is 0: set resources.gpu to at least 1 or leave out gpuProduct',
  },
];
