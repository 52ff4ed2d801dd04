import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bitsOfName,
  guessedShape,
  parametersIn,
  parametersOfName,
  shapeOf,
} from '../../../../constructs/parts/sizing/index.ts';
import { bytesPerToken, type ModelShape } from '../../../../constructs/parts/sizing/shape.ts';
import { PUBLIC_MODELS } from '../../../support/model-configs.ts';

function shape(config: unknown, known = {}): ModelShape {
  const result = shapeOf(config, known);
  if ('lacks' in result) throw new Error(result.lacks.join());
  return result;
}

const named = (name: string) => {
  const found = PUBLIC_MODELS.find((model) => model.name.includes(name));
  if (found === undefined) throw new Error(name);
  return found;
};

test.for(PUBLIC_MODELS)('the parameters of $name are counted from its config.json', ({ config, parameters }) => {
  expect(shape(config).parameters / parameters).toBeCloseTo(1, 1);
  expect(Math.abs(shape(config).parameters / parameters - 1)).toBeLessThan(0.025);
});

test.for(PUBLIC_MODELS)('the weights of $name are about as large as its files', ({ config, parameters, gigabytes }) => {
  const real = gigabytes === undefined ? parameters * 2 : gigabytes * 1e9;
  expect(Math.abs(shape(config, { parameters }).weightBytes / real - 1)).toBeLessThan(0.12);
});

test.for([
  ['Qwen2.5-7B', 56 * 1024],
  ['Llama-3.1-8B', 128 * 1024],
  ['Llama-3.1-70B', 320 * 1024],
  ['Mixtral-8x7B', 128 * 1024],
  ['gpt-oss-20b', 48 * 1024],
  ['DeepSeek-V3', 61 * 576 * 2],
] as const)('a token of %s takes %d bytes of the cache', ([name, bytes]) => {
  expect(bytesPerToken(shape(named(name).config))).toBe(bytes);
});

test('layers with a window are those that the config says, or that follow from its pattern', () => {
  expect(shape(named('gpt-oss-20b').config).cache).toMatchObject([{ layers: 12 }, { layers: 12, window: 128 }]);
  expect(shape(named('gemma-3').config).cache).toMatchObject([{ layers: 10 }, { layers: 52, window: 1024 }]);
  expect(shape({ ...named('Qwen2.5-7B').config, use_sliding_window: true }).cache).toMatchObject([
    { layers: 28, window: 131_072 },
  ]);
});

test('layers of linear attention keep nothing of a token', () => {
  const config = { num_hidden_layers: 48, num_attention_heads: 16, num_key_value_heads: 2, hidden_size: 2048 };
  expect(shape({ ...config, full_attention_interval: 4 }).cache).toMatchObject([{ layers: 12 }]);
});

test('weights of 32 bits are loaded as 16, and files stay as large as they are', () => {
  const config = { ...named('Qwen2.5-0.5B').config, torch_dtype: 'float32' };
  const { weightBytes, fileBytes } = shape(config, { weightBytes: 4e9 });
  expect({ weightBytes, fileBytes }).toEqual({ weightBytes: 2e9, fileBytes: 4e9 });
});

test.for([
  [{ quant_method: 'awq', bits: 4 }, 4.5],
  [{ quant_method: 'gptq', bits: 8 }, 8],
  [{ quant_method: 'fp8' }, 8],
  [{ quant_method: 'mxfp4' }, 4.75],
  [{ quant_method: 'bitsandbytes', load_in_4bit: true }, 4.5],
  [{ quant_method: 'compressed-tensors', config_groups: { group_0: { weights: { num_bits: 4 } } } }, 4.5],
] as const)('%j is so many bits a weight', ([quantization_config, bits]) => {
  const config = { ...named('Llama-3.1-8B').config, quantization_config };
  expect(shape(config, { parameters: 8e9 }).weightBytes).toBe(bits * 1e9);
});

test('a config that lacks something is told apart, with the fields', () => {
  expect(shapeOf({ hidden_size: 10 })).toEqual({ lacks: ['num_hidden_layers', 'num_attention_heads'] });
  expect(shapeOf([])).toMatchObject({ lacks: [expect.any(String), expect.any(String), expect.any(String)] });
  expect(shapeOf({ num_hidden_layers: 1e9, num_attention_heads: 1, hidden_size: 1 })).toMatchObject({
    lacks: ['num_hidden_layers up to 1024'],
  });
});

test.for([
  ['7B', 7e9],
  ['0.5b', 5e8],
  ['8x7B', 56e9],
  ['1T', 1e12],
  ['350M', 350e6],
  ['7', undefined],
  ['B', undefined],
  ['-7B', undefined],
  ['0B', undefined],
] as const)('%s is a count of parameters', ([text, parameters]) => {
  expect(parametersIn(text)).toBe(parameters);
});

test('the size in a name is a word of its own', () => {
  expect(parametersOfName('Qwen2.5-7B-Instruct')).toEqual({ word: '7B', parameters: 7e9 });
  expect(parametersOfName('Qwen3-30B-A3B')?.word).toBe('30B');
  expect(parametersOfName('Phi-4-mini')).toBeUndefined();
});

test('what a name says of the bits is read', () => {
  expect(['a-AWQ', 'a-FP8', 'a-GPTQ-Int4', 'a-instruct'].map(bitsOfName)).toEqual([4.5, 8, 4.5, 16]);
});

test.for(PUBLIC_MODELS.filter(({ name }) => /Llama|Qwen2.5-7B/.test(name)))(
  'a shape that is guessed for the size of $name has a cache of the same order',
  ({ config, parameters }) => {
    const ratio = bytesPerToken(guessedShape(parameters, 16)) / bytesPerToken(shape(config));
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(2.5);
  },
);

test('whatever a config holds, it gives finite sizes or says what it lacks', () => {
  const names = Object.keys({
    ...named('DeepSeek-V3').config,
    ...named('gemma-3').config,
    layer_types: 0,
    quantization_config: 0,
  });
  const value = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(null, true, '', 'fp8', [], {}), fc.nat(200));
  const configs = fc.dictionary(
    fc.constantFrom(...names, 'num_hidden_layers', 'num_attention_heads', 'hidden_size'),
    value,
  );
  fc.assert(
    fc.property(fc.oneof(configs, fc.anything()), (config) => {
      const result = shapeOf(config);
      if ('lacks' in result) return result.lacks.length > 0;
      return Number.isFinite(result.weightBytes) && result.weightBytes > 0 && Number.isFinite(bytesPerToken(result));
    }),
  );
});
