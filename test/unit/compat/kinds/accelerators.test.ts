import { describe, expect, test } from 'vitest';
import { SpecError } from '../../../../constructs/schema/error.ts';
import type { PodTemplate } from '../../../../constructs/parts/objects/index.ts';
import { filed, fromFile, reconciled, rendered } from './support.ts';

const LLM = 'full/llm.yaml';

/** The image of the server of a ModelDeployment. */
function imageOf(change: object): string | undefined {
  const resource = fromFile('modeldeployment.yaml', 'ModelDeployment/llama-3-8b');
  const spec = { ...(resource.spec as object), modelSource: 'pvc://models', ...change };
  const deployment = rendered({ ...resource, spec }).find(({ id }) => id === 'deployment');
  if (!deployment) throw new Error('there is no Deployment');
  const { template } = deployment.manifest['spec'] as { readonly template: PodTemplate };
  return template.spec.containers[0]?.image;
}

/** What is wrong with an LLMDeployment whose LLMModel is changed. */
function problemsOf(change: object): readonly string[] {
  const related = filed(LLM);
  const model = related['LLMModel/gpt-large'];
  if (!model) throw new Error('there is no LLMModel');
  const changed = { ...model, spec: { ...(model.spec as object), ...change } };
  try {
    reconciled(fromFile(LLM, 'LLMDeployment/chat-large'), { related: { ...related, 'LLMModel/gpt-large': changed } });
    return [];
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}

describe('without an NVIDIA GPU', () => {
  test('a ModelDeployment takes the image of vLLM for CPUs, as it does where it says nothing of GPUs', () => {
    expect(imageOf({ gpus: 0 })).toContain('vllm-openai-cpu:');
    expect(imageOf({ gpus: 1 })).toContain('vllm-openai:');
  });

  test('an LLMDeployment is told by which field of its LLMModel an image must be named', () => {
    const sglang = { engine: { type: 'sglang' }, image: undefined };
    expect(problemsOf({ ...sglang, resources: { cpu: '8' } })).toEqual([
      expect.stringMatching(/LLMModel.* spec[.]image: is required without resources[.]gpu/),
    ]);
    expect(problemsOf({ ...sglang, resources: { gpu: 1, gpuResource: 'amd.com/gpu' } })).toEqual([
      expect.stringMatching(/LLMModel.* spec[.]image: is required on GPUs of AMD/),
    ]);
    expect(problemsOf({ engine: { type: 'vllm' }, image: undefined, resources: { cpu: '8' } })).toEqual([]);
  });
});
