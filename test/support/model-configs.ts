/** A model that everybody can look up: what of its `config.json` its size follows from, and what its files have. */
export interface PublicModel {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** As the Hub counts them; of MXFP4, as the makers do. */
  readonly parameters: number;
  /** Bytes of its safetensors, in billions, where they are not 2 for each parameter. */
  readonly gigabytes?: number;
}

const bfloat16 = { torch_dtype: 'bfloat16' };

const alternating = (layers: number): string[] =>
  Array.from({ length: layers }, (_, index) => (index % 2 === 0 ? 'sliding_attention' : 'full_attention'));

const gptOss = (layers: number, experts: number) => ({
  model_type: 'gpt_oss',
  num_hidden_layers: layers,
  num_attention_heads: 64,
  num_key_value_heads: 8,
  head_dim: 64,
  hidden_size: 2880,
  intermediate_size: 2880,
  num_local_experts: experts,
  num_experts_per_tok: 4,
  sliding_window: 128,
  layer_types: alternating(layers),
  vocab_size: 201_088,
  max_position_embeddings: 131_072,
  tie_word_embeddings: false,
  quantization_config: { quant_method: 'mxfp4' },
});

const llama = (layers: number, attentionHeads: number, hidden: number, intermediate: number) => ({
  ...bfloat16,
  model_type: 'llama',
  num_hidden_layers: layers,
  num_attention_heads: attentionHeads,
  num_key_value_heads: 8,
  hidden_size: hidden,
  intermediate_size: intermediate,
  vocab_size: 128_256,
  max_position_embeddings: 131_072,
  tie_word_embeddings: false,
});

/** From small to large. */
export const PUBLIC_MODELS: readonly PublicModel[] = [
  {
    name: 'Qwen/Qwen2.5-0.5B-Instruct',
    parameters: 494_032_768,
    config: {
      ...bfloat16,
      model_type: 'qwen2',
      num_hidden_layers: 24,
      num_attention_heads: 14,
      num_key_value_heads: 2,
      hidden_size: 896,
      intermediate_size: 4864,
      vocab_size: 151_936,
      max_position_embeddings: 32_768,
      sliding_window: 32_768,
      use_sliding_window: false,
      tie_word_embeddings: true,
    },
  },
  {
    name: 'Qwen/Qwen2.5-7B-Instruct',
    parameters: 7_615_616_512,
    config: {
      ...bfloat16,
      model_type: 'qwen2',
      num_hidden_layers: 28,
      num_attention_heads: 28,
      num_key_value_heads: 4,
      hidden_size: 3584,
      intermediate_size: 18_944,
      vocab_size: 152_064,
      max_position_embeddings: 32_768,
      sliding_window: 131_072,
      use_sliding_window: false,
      tie_word_embeddings: false,
    },
  },
  { name: 'meta-llama/Llama-3.1-8B-Instruct', parameters: 8_030_261_248, config: llama(32, 32, 4096, 14_336) },
  { name: 'openai/gpt-oss-20b', parameters: 20_914_757_184, gigabytes: 13.76, config: gptOss(24, 32) },
  {
    name: 'google/gemma-3-27b-it',
    parameters: 27_432_406_640,
    config: {
      ...bfloat16,
      model_type: 'gemma3',
      text_config: {
        model_type: 'gemma3_text',
        num_hidden_layers: 62,
        num_attention_heads: 32,
        num_key_value_heads: 16,
        head_dim: 128,
        hidden_size: 5376,
        intermediate_size: 21_504,
        sliding_window: 1024,
        vocab_size: 262_208,
      },
    },
  },
  {
    name: 'mistralai/Mixtral-8x7B-Instruct-v0.1',
    parameters: 46_702_792_704,
    config: {
      ...bfloat16,
      model_type: 'mixtral',
      num_hidden_layers: 32,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      hidden_size: 4096,
      intermediate_size: 14_336,
      num_local_experts: 8,
      num_experts_per_tok: 2,
      sliding_window: null,
      vocab_size: 32_000,
      max_position_embeddings: 32_768,
      tie_word_embeddings: false,
    },
  },
  { name: 'meta-llama/Llama-3.1-70B-Instruct', parameters: 70_553_706_496, config: llama(80, 64, 8192, 28_672) },
  { name: 'openai/gpt-oss-120b', parameters: 116_829_156_672, gigabytes: 65.25, config: gptOss(36, 128) },
  {
    name: 'deepseek-ai/DeepSeek-V3',
    // With the layer that predicts the token after the next, which is in the files.
    parameters: 684_531_386_000,
    gigabytes: 688.6,
    config: {
      ...bfloat16,
      model_type: 'deepseek_v3',
      num_hidden_layers: 61,
      num_attention_heads: 128,
      num_key_value_heads: 128,
      hidden_size: 7168,
      intermediate_size: 18_432,
      moe_intermediate_size: 2048,
      n_routed_experts: 256,
      n_shared_experts: 1,
      num_experts_per_tok: 8,
      first_k_dense_replace: 3,
      kv_lora_rank: 512,
      q_lora_rank: 1536,
      qk_nope_head_dim: 128,
      qk_rope_head_dim: 64,
      v_head_dim: 128,
      vocab_size: 129_280,
      max_position_embeddings: 163_840,
      tie_word_embeddings: false,
      quantization_config: { quant_method: 'fp8', weight_block_size: [128, 128] },
    },
  },
];
