/** Layers of a model that keep the same of each token. */
export interface CacheLayers {
  readonly layers: number;
  /** What one layer keeps of a token, in values: keys and values of all heads, or what MLA makes of them. */
  readonly values: number;
  /** Heads that GPUs share out among them; 1 where each GPU keeps all of it, as with MLA. */
  readonly heads: number;
  /**
   * Tokens that it looks back.
   *
   * @default - all of them
   */
  readonly window?: number;
}

/** What of a model decides how much memory it takes. */
export interface ModelShape {
  readonly parameters: number;
  /** Bytes of the weights in the memory of GPUs. */
  readonly weightBytes: number;
  /** Bytes of all files that are fetched. */
  readonly fileBytes: number;
  readonly cache: readonly CacheLayers[];
  /** Bytes of a value in the KV cache. */
  readonly cacheValueBytes: number;
  readonly attentionHeads: number;
  readonly hidden: number;
  /** Values between the two halves of a feed-forward layer; of a mixture, those of all experts that one token goes to. */
  readonly intermediate: number;
  readonly vocabulary: number;
  /**
   * The longest context, in tokens.
   *
   * @default - not known
   */
  readonly longest?: number;
  /** Whether its numbers are of 16 bits with the exponent of 32, which older GPUs don't compute with. */
  readonly isBfloat16: boolean;
}

/** Bytes that requests keep in the cache of one GPU, where so many GPUs share a model. */
export function cacheBytes(shape: ModelShape, gpus: number, context: number, requests: number, step: number): number {
  const bytes = shape.cache.map(({ layers, values, heads, window = Number.POSITIVE_INFINITY }) => {
    const share = Math.max(1, Math.ceil(heads / gpus)) / heads;
    // One of them is at its prompt, of which a step is kept beside the window (vLLM 0.32.0, v1/kv_cache_interface.py,
    // SlidingWindowSpec.max_admission_blocks_per_request); the others keep the window.
    const atPrompt = Math.min(context, window - 1 + step);
    const others = Math.min(context, window) * (requests - 1);
    return layers * values * share * shape.cacheValueBytes * (atPrompt + others);
  });
  return bytes.reduce((sum, each) => sum + each, 0);
}

/** Bytes that a token adds to the cache of all GPUs together, where it is in the reach of all layers. */
export const bytesPerToken = ({ cache, cacheValueBytes }: ModelShape): number =>
  cache.reduce((sum, { layers, values }) => sum + layers * values * cacheValueBytes, 0);

/**
 * Whether a model can be split over so many GPUs: heads and intermediate values must be shared out evenly. Fewer KV heads than
 * GPUs are repeated (vLLM 0.32.0, config/model.py, verify_with_parallel_config, and model_executor/models/llama.py).
 */
export function isSplitBy({ attentionHeads, intermediate, cache }: ModelShape, gpus: number): boolean {
  const shared = cache.every(({ heads }) => heads % gpus === 0 || gpus % heads === 0);
  return attentionHeads % gpus === 0 && intermediate % gpus === 0 && shared;
}
