import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findGpu,
  GIB,
  type Gpu,
  GPUS,
  shapeOf,
  similarGpus,
  sizeOf,
  sizeOnCpus,
} from '../../../../constructs/parts/sizing/index.ts';
import { spare } from '../../../../constructs/parts/sizing/memory.ts';
import type { ModelShape } from '../../../../constructs/parts/sizing/shape.ts';
import { PUBLIC_MODELS } from '../../../support/model-configs.ts';

const shapes: readonly (readonly [string, ModelShape])[] = PUBLIC_MODELS.map(
  ({ name, config, parameters, gigabytes }) => {
    const shape = shapeOf(config, { parameters, weightBytes: gigabytes === undefined ? undefined : gigabytes * 1e9 });
    if ('lacks' in shape) throw new Error(name);
    return [name, shape];
  },
);

function shapeOfModel(name: string): ModelShape {
  const found = shapes.find(([each]) => each.includes(name))?.[1];
  if (found === undefined) throw new Error(name);
  return found;
}

function gpu(name: string): Gpu {
  const found = findGpu(name);
  if (found === undefined) throw new Error(name);
  return found;
}

const size = (model: string, on: string, wishes = {}) => sizeOf(shapeOfModel(model), gpu(on), wishes);

test.for([
  ['Qwen2.5-0.5B', 'T4', { gpus: 1, volume: 3, memory: 16, cpus: 4 }],
  ['Qwen2.5-7B', 'T4', { gpus: 2, memory: 20, sharedMemory: 2 }],
  ['Qwen2.5-7B', 'L4', { gpus: 1, volume: 17, memory: 16, sharedMemory: 0 }],
  ['Qwen2.5-7B', 'A100-80GB', { gpus: 1, context: 8192 }],
  ['Llama-3.1-8B', 'L40S', { gpus: 1, volume: 18 }],
  ['gpt-oss-20b', 'L4', { gpus: 1, volume: 16 }],
  ['gemma-3', 'A100-80GB', { gpus: 1, volume: 60 }],
  ['Mixtral', 'H100', { gpus: 2, volume: 100 }],
  ['Llama-3.1-70B', 'A100-80GB', { gpus: 2, volume: 150, memory: 20 }],
  ['Llama-3.1-70B', 'H200', { gpus: 2 }],
  ['gpt-oss-120b', 'H100', { gpus: 1, volume: 70 }],
  ['DeepSeek-V3', 'H200', { gpus: 8, volume: 715, memory: 56, cpus: 18 }],
] as const)('%s on %s', ([model, on, expected]) => {
  expect(size(model, on)).toMatchObject({ fits: true, ...expected });
});

test('a model takes as many GPUs as are asked for, and has more room for requests then', () => {
  const [one, four] = [size('Llama-3.1-70B', 'A100-80GB'), size('Llama-3.1-70B', 'A100-80GB', { gpus: 4 })];
  if (!one.fits || !four.fits) throw new Error('it fits');
  expect(four.gpus).toBe(4);
  expect(four.atOnce).toBeGreaterThan(10 * one.atOnce);
  // 4 GPUs of 73.6 GiB less 131.4 GiB of weights leave about 155 GiB, of which a token takes 320 KiB.
  expect((four.cacheRoom * 4) / GIB).toBeGreaterThan(140);
  expect(four.bytesPerToken).toBe(320 * 1024);
});

test('what can not be split over the GPUs is refused, with the counts over which it can', () => {
  expect(size('Qwen2.5-7B', 'A100-80GB', { gpus: 8 })).toEqual({
    fits: false,
    why: 'split',
    gpus: 8,
    heads: 28,
    splits: [1, 2, 4],
  });
});

test('a context that the model does not take is refused', () => {
  expect(size('Qwen2.5-7B', 'A100-80GB', { context: 65_536 })).toEqual({
    fits: false,
    why: 'context',
    context: 65_536,
    longest: 32_768,
  });
});

test('what does not fit has what would: more GPUs, 4 bits, other GPUs', () => {
  expect(size('Llama-3.1-70B', 'H100', { gpus: 1 })).toMatchObject({
    why: 'memory',
    moreGpus: 2,
    fourBits: true,
    others: [
      { name: 'B200', gpus: 1 },
      { name: 'GB200', gpus: 1 },
    ],
  });
  expect(size('DeepSeek-V3', 'H100')).not.toHaveProperty('moreGpus');
});

test('what does not fit with a long context fits with the shorter one that is told', () => {
  const long = size('Llama-3.1-8B', 'L4', { gpus: 1, context: 131_072 });
  if (long.fits || long.why !== 'memory' || long.shorter === undefined) throw new Error('a shorter one fits');
  expect(size('Llama-3.1-8B', 'L4', { gpus: 1, context: long.shorter })).toMatchObject({ fits: true });
  expect(size('Llama-3.1-8B', 'L4', { gpus: 1, context: long.shorter + 1024 })).toMatchObject({ fits: false });
});

test('what it says of GPUs, context and requests fits, and what it says of others as well', () => {
  const cases = fc.record({
    shape: fc.constantFrom(...shapes.map(([, shape]) => shape)),
    on: fc.constantFrom(...GPUS),
    context: fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined }),
    requests: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
    gpus: fc.option(fc.integer({ min: 1, max: 16 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(cases, ({ shape, on, ...wishes }) => {
      const result = sizeOf(shape, on, wishes);
      if (result.fits) {
        expect(spare(result.perGpu)).toBeGreaterThanOrEqual(0);
        expect(result.atOnce).toBeGreaterThanOrEqual(wishes.requests ?? 1);
        expect(shape.fileBytes).toBeLessThan(result.volume * GIB * 0.93);
        expect(shape.attentionHeads % result.gpus).toBe(0);
        return;
      }
      if (result.why !== 'memory') return;
      const { context, requests } = result;
      for (const other of result.others) {
        expect(sizeOf(shape, gpu(other.name), { context, requests, gpus: other.gpus })).toMatchObject({ fits: true });
      }
      if (result.moreGpus === undefined) return;
      expect(sizeOf(shape, on, { context, requests, gpus: result.moreGpus })).toMatchObject({ fits: true });
    }),
    { numRuns: 300 },
  );
});

test('on CPUs half of the memory is for weights and cache, as the example has it', () => {
  expect(sizeOnCpus(shapeOfModel('Qwen2.5-0.5B'))).toMatchObject({ context: 4096, memory: 6, volume: 3, cpus: 2 });
});

test.for([
  ['A100-80GB', 'NVIDIA-A100-SXM4-80GB'],
  ['a100 80gb', 'NVIDIA-A100-SXM4-80GB'],
  ['NVIDIA-A100-80GB-PCIe', 'NVIDIA-A100-80GB-PCIe'],
  ['nvidia h100', 'NVIDIA-H100-80GB-HBM3'],
  ['Tesla T4', 'Tesla-T4'],
  ['rtx4090', 'NVIDIA-GeForce-RTX-4090'],
] as const)('%s is %s', ([name, product]) => {
  expect(findGpu(name)?.product).toBe(product);
});

test.for([
  ['A100', ['A100-40GB', 'A100-40GB-PCIe', 'A100-80GB', 'A100-80GB-PCIe']],
  ['H10', ['H100', 'H100-PCIe', 'H100-NVL']],
  ['L40', ['L40S']],
  ['H300', ['A30', 'H100', 'H20', 'H200', 'B200']],
  ['banana', []],
  ['', []],
] as const)('who writes %s may mean these', ([name, names]) => {
  expect(findGpu(name)).toBeUndefined();
  expect(similarGpus(name)).toEqual(names);
});

test('every product is a value that a label can have, and is of one GPU', () => {
  for (const { product } of GPUS) expect(product).toMatch(/^[A-Za-z0-9][-A-Za-z0-9_.]{0,61}[A-Za-z0-9]$/);
  expect(new Set(GPUS.map(({ product }) => product)).size).toBe(GPUS.length);
  expect(new Set(GPUS.map(({ name }) => name)).size).toBe(GPUS.length);
});
