import { minimal, type RefusedExample } from './example.ts';

/** Engines without an image that certainly runs on what the spec asks for. */
export const refusedImages: readonly RefusedExample[] = [
  {
    title: 'sglang on CPUs without an image',
    spec: { ...minimal, engine: { type: 'sglang' }, resources: { gpu: 0 } },
    problems: [['spec.engine.image', 'is required without resources.gpu: sglang has one for Xeons with AMX alone']],
  },
  {
    title: 'sglang on GPUs of AMD without an image',
    spec: { ...minimal, engine: { type: 'sglang' }, resources: { gpu: 1, gpuResource: 'amd.com/gpu' } },
    problems: [['spec.engine.image', 'is required on GPUs of AMD: sglang has one for each release of ROCm']],
  },
  {
    title: 'accelerators of a vendor that no image is known for',
    spec: { ...minimal, resources: { gpu: 1, gpuResource: 'habana.ai/gaudi' } },
    problems: [['spec.engine.image', 'is required on accelerators of this vendor for vllm, sglang']],
  },
];
