import { objectIn, type PlainObject } from '../../schema/json.ts';
import { countIn, textIn } from './numbers.ts';

const FLOATS: Readonly<Record<string, number>> = { bfloat16: 16, float16: 16, half: 16, float32: 32, float: 32 };

/** How the weights of a model are written. */
export interface WeightBits {
  /** Bits of a weight on disk, on average, scales and what is not quantised included. */
  readonly stored: number;
  /** Bits of a weight in the memory of GPUs. */
  readonly loaded: number;
  readonly isBfloat16: boolean;
}

/**
 * How the weights are written, by `config.json`. Weights of 32 bits are loaded as 16 (vLLM 0.32.0, config/model.py, dtype `auto`).
 */
export function weightBitsOf(config: PlainObject): WeightBits {
  const dtype = textIn(config, 'dtype') || textIn(config, 'torch_dtype') || 'bfloat16';
  const isBfloat16 = dtype === 'bfloat16';
  const quantised = quantisedBits(objectIn(config['quantization_config']));
  if (quantised !== undefined) return { stored: quantised, loaded: quantised, isBfloat16 };
  const stored = FLOATS[dtype] ?? 16;
  return { stored, loaded: Math.min(16, stored), isBfloat16 };
}

/** A scale of 8 or 16 bits for each group of weights, and embeddings of 16 bits. */
const SCALES = 0.5;

function quantisedBits(quantization: PlainObject): number | undefined {
  const method = textIn(quantization, 'quant_method');
  if (method === '') return undefined;
  if (/fp8|int8/.test(method)) return 8;
  // 4 bits and a scale of 8 bits for 32 weights; attention and embeddings are of 16 bits.
  if (method === 'mxfp4') return 4.25 + SCALES;
  const bits = countIn(quantization, ['bits', 'w_bit', 'num_bits']) ?? groupBits(quantization);
  if (bits !== undefined) return bits >= 8 ? bits : bits + SCALES;
  if (method === 'bitsandbytes') return quantization['load_in_8bit'] === true ? 8 : 4 + SCALES;
  return /fp4|awq|gptq/.test(method) ? 4 + SCALES : 8;
}

/** `config_groups` of compressed-tensors: the bits of the weights of the first group. */
function groupBits(quantization: PlainObject): number | undefined {
  const [first] = Object.values(objectIn(quantization['config_groups']));
  return countIn(objectIn(objectIn(first)['weights']), ['num_bits']);
}
