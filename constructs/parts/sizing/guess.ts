import type { ModelShape } from './shape.ts';

const BILLION = 1e9;

const UNITS: Readonly<Record<string, number>> = { T: 1000 * BILLION, B: BILLION, M: 1e6 };

/** A count of parameters as people write it: `7B`, `0.5b`, `8x7B`, `671 B`; undefined where it is none. */
export function parametersIn(text: string): number | undefined {
  const match = /^(?:(\d{1,3})x)?(\d{1,6}(?:\.\d{1,6})?) ?([TBM])$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, experts = '1', count = '', unit = ''] = match;
  const parameters = Number(experts) * Number(count) * (UNITS[unit.toUpperCase()] ?? 0);
  return parameters >= 1e6 && parameters <= 100_000 * BILLION ? parameters : undefined;
}

/** The count of parameters that the name of a model has in it, and the word that says so: `7B` of `Qwen2.5-7B-Instruct`. */
export function parametersOfName(name: string): { readonly word: string; readonly parameters: number } | undefined {
  const found = name.split(/[-_/ ]/).flatMap((word) => {
    const parameters = /[TBM]$/i.test(word) ? parametersIn(word) : undefined;
    return parameters === undefined ? [] : [{ word, parameters }];
  });
  return found[0];
}

/** Bits of a weight that the name of a model says. */
const NAMED_BITS = [
  [/(?:^|[-_])(?:awq|gptq|int4|4bit|w4a16|nvfp4|mxfp4)(?:[-_]|$)/i, 4.5],
  [/(?:^|[-_])(?:fp8|int8|8bit|w8a8)(?:[-_]|$)/i, 8],
] as const;

/** Bits of a weight, by the name of a model; 16 where it says nothing. */
export const bitsOfName = (name: string): number => NAMED_BITS.find(([pattern]) => pattern.test(name))?.[1] ?? 16;

/**
 * A shape for a model of which only its size is known: the KV cache of a dense model of that size with eight KV heads, as
 * Llama 3 has them (128 KiB a token for 8 billion parameters, 320 KiB for 70).
 */
export function guessedShape(parameters: number, bits: number): ModelShape {
  const perToken = 128 * 1024 * (parameters / (8 * BILLION)) ** 0.42;
  const weightBytes = (parameters * bits) / 8;
  // Of 128 values a head, which is 4096 for 8 billion and 8192 for 70.
  const hidden = Math.max(1024, Math.round((4096 * (parameters / (8 * BILLION)) ** 0.32) / 1024) * 1024);
  return {
    parameters,
    weightBytes,
    fileBytes: weightBytes,
    cache: [{ layers: 1, values: Math.ceil(perToken / 2 / 8) * 8, heads: 8 }],
    cacheValueBytes: 2,
    attentionHeads: 32,
    hidden,
    intermediate: hidden * 4,
    vocabulary: 152_064,
    isBfloat16: true,
  };
}
