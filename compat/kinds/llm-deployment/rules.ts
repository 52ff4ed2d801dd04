import { engineRules } from '../../../constructs/model-serving/engine.rules.ts';
import type { Rule } from '../../../constructs/schema/rules.ts';

/** Those of a ModelServing's engine that are about fields which an LLMModel's has too: image and port lie elsewhere. */
export const modelEngineRules: readonly Rule[] = engineRules.filter(({ fieldPath = '' }) =>
  ['.command', '.args', '.ipFamily'].includes(fieldPath),
);

/** Rules of the `spec` of an LLMModel, about the fields that its earlier operator did not have. */
export const modelRules: readonly Rule[] = [
  {
    rule: "!has(self.engine) || self.engine.type == 'custom' || has(self.modelSource)",
    fieldPath: '.modelSource',
    message:
      'is required where engine.type is another than custom, since the engine must know where the model is: give hf://OWNER/MODEL, pvc://CLAIM/PATH or any other place',
  },
  {
    rule: '!has(self.storage) || has(self.modelSource) && !self.modelSource.matches("^(oci|pvc)://")',
    fieldPath: '.storage',
    message:
      'is for weights that are fetched onto a volume: give modelSource, or leave out storage; pvc:// and oci:// are mounted from where they are',
  },
  {
    rule: '!has(self.credentials) || has(self.modelSource) && !self.modelSource.matches("^(oci|pvc)://")',
    fieldPath: '.credentials',
    message: 'are for weights that are fetched: give modelSource, or leave out credentials',
  },
  {
    rule: '!has(self.resources) || !has(self.resources.gpuProduct) || has(self.resources.gpu) && self.resources.gpu > 0',
    fieldPath: '.resources.gpuProduct',
    message: 'selects a GPU, but resources.gpu is 0: set resources.gpu to at least 1 or leave out gpuProduct',
  },
];
