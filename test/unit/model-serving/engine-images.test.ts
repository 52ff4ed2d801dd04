import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { ENGINES, type EngineType } from '../../../constructs/model-serving/engines.ts';
import { repositoryOf } from '../../../constructs/model-serving/images.ts';
import { modelServingArbitrary } from '../../support/arbitrary-model-serving.ts';
import { construct, serverOf } from './support/render.ts';

const on = (type: EngineType, resources: ModelServingSpecInput['resources'], more: object = {}) => ({
  model: { uri: 'pvc://models' },
  engine: { type },
  security: { level: 'baseline' as const },
  resources,
  ...more,
});

/** The image without its digest, or what is wrong. */
function imageOf(spec: ModelServingSpecInput): string {
  try {
    return (serverOf(spec).image ?? '').replace(/@.*/, '');
  } catch (error) {
    return String(error).split('\n')[1]?.trim() ?? '';
  }
}

const needsOne = (words: string) => expect.stringMatching(new RegExp(`^spec[.]engine[.]image: is required .*${words}`));

const NVIDIA = { gpu: 1 };
const MIG = { gpu: 1, gpuResource: 'nvidia.com/mig-1g.10gb' };
const VIRTUAL = { gpu: 1, gpuResource: 'example.com/vgpu' };
const AMD = { gpu: 1, gpuResource: 'amd.com/gpu' };
const INTEL = { gpu: 1, gpuResource: 'gpu.intel.com/i915' };
const CPU = { gpu: 0, memory: '16Gi' };

const VLLM = 'docker.io/vllm/vllm-openai';
const SGLANG = 'docker.io/lmsysorg/sglang:v0.5.18';
const TGI = 'ghcr.io/huggingface/text-generation-inference:3.3.7';
const TRITON = 'nvcr.io/nvidia/tritonserver:25.06-py3';
const TENSORFLOW = 'docker.io/tensorflow/serving:2.19.1';

describe('an engine takes the image that runs on its accelerator, or the spec must name one', () => {
  test.each([
    ['vllm', NVIDIA, `${VLLM}:v0.30.0`],
    ['vllm', MIG, `${VLLM}:v0.30.0`],
    ['vllm', VIRTUAL, `${VLLM}:v0.30.0`],
    ['vllm', AMD, `${VLLM}-rocm:v0.30.0`],
    ['vllm', CPU, `${VLLM}-cpu:v0.30.0`],
    ['vllm', INTEL, needsOne('accelerators of this vendor')],
    ['sglang', NVIDIA, SGLANG],
    ['sglang', AMD, needsOne('v0.5.18-rocm720-mi30x')],
    ['sglang', CPU, needsOne('v0.5.18-xeon')],
    ['sglang', INTEL, needsOne('accelerators of this vendor')],
    ['tgi', NVIDIA, TGI],
    ['tgi', AMD, needsOne('3.3.5-rocm')],
    ['tgi', CPU, TGI],
    ['tgi', INTEL, needsOne('accelerators of this vendor')],
    ['triton', NVIDIA, TRITON],
    ['triton', AMD, needsOne('triton has none')],
    ['triton', CPU, TRITON],
    ['triton', INTEL, needsOne('accelerators of this vendor')],
    ['tensorflow-serving', NVIDIA, `${TENSORFLOW}-gpu`],
    ['tensorflow-serving', AMD, needsOne('tensorflow-serving has none')],
    ['tensorflow-serving', CPU, TENSORFLOW],
    ['tensorflow-serving', INTEL, needsOne('accelerators of this vendor')],
    ...[NVIDIA, AMD, CPU, INTEL].map((each) => ['custom', each, needsOne('engine.type is custom')] as const),
  ] as const)('%s with %o', (type, resources, expected) => {
    expect(imageOf(on(type, resources))).toEqual(expected);
  });

  test.each(ENGINES.flatMap((type) => [NVIDIA, AMD, CPU, INTEL].map((resources) => ({ type, resources }))))(
    'an image that the spec names is taken by $type with $resources',
    ({ type, resources }) => {
      expect(imageOf({ ...on(type, resources), engine: { type, image: 'mine:1' } })).toBe('mine:1');
    },
  );

  test('so is one that podTemplate names, which alone is no reason to refuse', () => {
    const podTemplate = { spec: { containers: [{ name: 'server', image: 'mine:1' }] } };
    expect(imageOf(on('sglang', CPU, { podTemplate }))).toBe('mine:1');
    expect(imageOf(on('tgi', AMD, { podTemplate }))).toBe('mine:1');
  });
});

describe('a server without resources.gpu that sees GPUs in another way keeps the image for NVIDIA', () => {
  const env = [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'all' }];
  const server = (fields: object) => ({ podTemplate: { spec: { containers: [{ name: 'server', ...fields }] } } });
  const gpu = { 'nvidia.com/gpu': 1 };
  test.each([
    ['by env', { env }],
    ['by the env of its container', server({ env })],
    ['by a limit of its container', server({ resources: { limits: gpu, requests: gpu } })],
  ])('%s', (_, more) => {
    expect(imageOf(on('vllm', CPU, more))).toBe(`${VLLM}:v0.30.0`);
    expect(imageOf(on('sglang', CPU, more))).toBe(SGLANG);
    expect(serverOf(on('vllm', CPU, more)).args?.join(' ')).not.toContain('utilization');
  });

  test('by the env of the engine', () => {
    expect(imageOf({ ...on('vllm', CPU), engine: { type: 'vllm', env } })).toBe(`${VLLM}:v0.30.0`);
    expect(imageOf({ ...on('sglang', CPU), engine: { type: 'sglang', env } })).toBe(SGLANG);
  });
});

describe('vLLM on CPUs', () => {
  const SHARE = '--gpu-memory-utilization=0.5';
  const argsOf = (spec: ModelServingSpecInput) => serverOf(spec).args ?? [];

  test('takes half of the memory of its container, before arguments of the user, which win', () => {
    const args = ['--gpu-memory-utilization=0.8'];
    expect(argsOf({ ...on('vllm', CPU), engine: { type: 'vllm', args } }).slice(-2)).toEqual([SHARE, ...args]);
    expect(argsOf(on('vllm', CPU))).toContain('--tensor-parallel-size=1');
  });

  test('is told nothing new where the user names its image, nor where it has GPUs', () => {
    const podTemplate = { spec: { containers: [{ name: 'server', image: 'mine:1' }] } };
    expect(argsOf({ ...on('vllm', CPU), engine: { type: 'vllm', image: 'mine:1' } })).not.toContain(SHARE);
    expect(argsOf(on('vllm', CPU, { podTemplate }))).not.toContain(SHARE);
    for (const resources of [NVIDIA, AMD]) expect(argsOf(on('vllm', resources))).not.toContain(SHARE);
  });

  test('without a limit of memory is warned of', () => {
    const warning = expect.stringMatching(/^spec[.]resources[.]memory: /);
    const limits = { limits: { memory: '8Gi' } };
    const podTemplate = { spec: { containers: [{ name: 'server', resources: limits }] } };
    expect(construct(on('vllm', { gpu: 0 })).warnings).toContainEqual(warning);
    expect(construct(on('vllm', CPU)).warnings).not.toContainEqual(warning);
    expect(construct(on('vllm', { gpu: 0 }, { podTemplate })).warnings).not.toContainEqual(warning);
    expect(construct(on('triton', { gpu: 0 })).warnings).not.toContainEqual(warning);
  });
});

/** Images that can't start without the GPUs that they are built for. */
const ONLY_NVIDIA = [VLLM, repositoryOf(SGLANG)];
const ONLY_AMD = [`${VLLM}-rocm`];

test('no pod that sees no GPU has an image that needs one', () => {
  fc.assert(
    fc.property(modelServingArbitrary, (spec) => {
      const { image = '', env = [], resources } = serverOf({ ...spec, retired: false });
      const isHidden = env.some(({ name, value }) => name === 'NVIDIA_VISIBLE_DEVICES' && value === 'void');
      const asked = Object.keys({ ...resources?.limits });
      const isNamed = spec.engine.image !== undefined || isImageOfTemplate(spec);
      if (isNamed) return;
      if (isHidden) expect([...ONLY_NVIDIA, ...ONLY_AMD]).not.toContain(repositoryOf(image));
      if (isHidden) expect(image).not.toMatch(/-gpu$/);
      if (asked.includes('amd.com/gpu')) expect(ONLY_NVIDIA).not.toContain(repositoryOf(image));
    }),
    { numRuns: 500 },
  );
});

const isImageOfTemplate = ({ podTemplate }: ModelServingSpecInput): boolean =>
  podTemplate?.spec?.containers?.some(({ name, image }) => name === 'server' && image !== undefined) === true;
