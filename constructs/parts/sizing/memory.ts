import type { Gpu } from './gpus.ts';
import { cacheBytes, type ModelShape } from './shape.ts';

export const MIB = 1024 ** 2;
export const GIB = 1024 ** 3;

/** The share of a GPU's memory that vLLM takes where nobody says another one (vLLM 0.32.0, config/cache.py, gpu_memory_utilization). */
export const VLLM_SHARE = 0.92;

/** What the driver keeps for itself, the context of CUDA, NCCL's buffers and CUDA graphs. */
const FIXED = 1.5 * GIB;

/** What one GPU needs, in bytes. */
export interface GpuMemory {
  readonly weights: number;
  /** The KV cache of the requests. */
  readonly cache: number;
  /** What the computation itself takes. */
  readonly overhead: number;
  /** What the engine takes of its memory. */
  readonly usable: number;
}

/**
 * Tokens and requests of one step of the engine: the defaults of vLLM's server by the memory of a GPU (vLLM 0.32.0,
 * engine/arg_utils.py, get_batch_defaults).
 */
export function stepOf({ memory, name }: Gpu): { readonly tokens: number; readonly requests: number } {
  const bytes = memory * MIB;
  if (bytes >= 160 * GIB) return { tokens: 16_384, requests: 1024 };
  if (bytes >= 70 * GIB && !name.startsWith('A100')) return { tokens: 8192, requests: 1024 };
  return { tokens: 2048, requests: 256 };
}

/** What each of so many GPUs needs for requests of a length. */
export function gpuMemory(shape: ModelShape, gpu: Gpu, gpus: number, context: number, requests: number): GpuMemory {
  const step = stepOf(gpu);
  // Two halves of a feed-forward layer and what goes through the attention, of 2 bytes; scores of all words, of 4 bytes and twice.
  const activations = step.tokens * ((2 * shape.intermediate) / gpus + 6 * shape.hidden) * 2;
  const scores = (step.requests * shape.vocabulary * 8) / gpus;
  return {
    weights: shape.weightBytes / gpus,
    cache: cacheBytes(shape, gpus, context, requests, step.tokens),
    overhead: FIXED + activations + scores,
    usable: gpu.memory * MIB * VLLM_SHARE,
  };
}

/** Bytes that are left; below 0 where it doesn't fit. */
export const spare = ({ weights, cache, overhead, usable }: GpuMemory): number => usable - weights - cache - overhead;
