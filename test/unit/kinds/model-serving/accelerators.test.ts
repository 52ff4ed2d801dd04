import { describe, expect, it } from 'vitest';
import { decide, resourceOf, runningChildren, runningStatus, server, shared } from './support.ts';

type Spec = typeof shared;

const on = (resources: Spec['resources'], type: Spec['engine']['type'] = 'vllm'): Spec => ({
  ...shared,
  engine: { type },
  resources,
});
const CPU = { gpu: 0, gpuResource: 'nvidia.com/gpu', memory: '8Gi' };
const AMD = { gpu: 1, gpuResource: 'amd.com/gpu' };
const NVIDIA = { gpu: 1, gpuResource: 'nvidia.com/gpu' };

/** The image that is decided for pods that ran the same spec, or another one, with a pinned image. */
function imageOf(spec: Spec, image: string, before: Spec = spec): string | undefined {
  const engine = { type: spec.engine.type, image, pinned: true };
  const resource = resourceOf(spec, { status: { ...runningStatus(before), engine }, generation: 2 });
  return decide({ resource, children: runningChildren(before), pods: [server(before)] }).status.engine?.image;
}

describe('an upgrade of the operator', () => {
  it('gives servers on CPUs and AMD the image that can start there, in place of that for CUDA', () => {
    const cuda = 'docker.io/vllm/vllm-openai:v0.28.0@sha256:00';
    expect(imageOf(on(CPU), cuda)).toMatch(/^docker[.]io.vllm.vllm-openai-cpu:/);
    expect(imageOf(on(AMD), cuda)).toMatch(/^docker[.]io.vllm.vllm-openai-rocm:/);
  });

  it.each([
    ['an earlier image for CPUs', on(CPU), 'docker.io/vllm/vllm-openai-cpu:v0.29.0'],
    ['an earlier image for AMD', on(AMD), 'docker.io/vllm/vllm-openai-rocm:v0.29.0'],
    ['an earlier image for NVIDIA', on(NVIDIA), 'docker.io/vllm/vllm-openai:v0.29.0'],
    ['Triton on CPUs, which runs by the same image', on(CPU, 'triton'), 'nvcr.io/nvidia/tritonserver:25.01-py3'],
    ['TensorFlow Serving on CPUs', on(CPU, 'tensorflow-serving'), 'docker.io/tensorflow/serving:2.18.0'],
  ])('keeps %s', (_, spec, image) => {
    expect(imageOf(spec, image)).toBe(image);
  });

  it('keeps the image of a server that sees GPUs without resources.gpu', () => {
    const cuda = 'docker.io/vllm/vllm-openai:v0.28.0';
    expect(imageOf({ ...on(CPU), env: [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'all' }] }, cuda)).toBe(cuda);
  });
});

describe('a change of the accelerator', () => {
  it('chooses the image again where the engine has another one for it', () => {
    expect(imageOf(on(CPU), 'old:1', on(NVIDIA))).toContain('vllm-openai-cpu');
    expect(imageOf(on(NVIDIA), 'old:1', on(CPU))).toMatch(/vllm-openai:/);
    expect(imageOf(on(AMD), 'old:1', on(NVIDIA))).toContain('vllm-openai-rocm');
    expect(imageOf(on(CPU, 'triton'), 'old:1', on(NVIDIA, 'triton'))).toBe('old:1');
  });

  it('keeps it from one kind of slice to another', () => {
    const mig = on({ gpu: 1, gpuResource: 'nvidia.com/mig-1g.10gb' });
    expect(imageOf(mig, 'old:1', on(NVIDIA))).toBe('old:1');
  });
});
