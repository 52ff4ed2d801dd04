import { objectIn } from '../../schema/json.ts';
import { weightBitsOf } from './bits.ts';
import { countParameters } from './count.ts';
import { cacheLayersOf } from './layers.ts';
import { countIn, textConfig, textIn } from './numbers.ts';
import type { ModelShape } from './shape.ts';

/** What is known of a model beside its `config.json`; what is known better than by counting. */
export interface KnownSizes {
  /** @default - counted from the config */
  readonly parameters?: number | undefined;
  /**
   * Bytes of the weights.
   *
   * @default - parameters times the bits that the config says
   */
  readonly weightBytes?: number | undefined;
  /**
   * Bytes of all files that are fetched.
   *
   * @default - those of the weights
   */
  readonly fileBytes?: number | undefined;
}

/** Fields that every shape needs, and what another family of models calls them. */
const REQUIRED = {
  layers: ['num_hidden_layers', 'n_layer', 'num_layers'],
  attentionHeads: ['num_attention_heads', 'n_head'],
  hidden: ['hidden_size', 'n_embd', 'd_model'],
} as const;

/** What a config lacks. */
export interface Lacking {
  /** Names of fields. */
  readonly lacks: readonly string[];
}

/** The shape of a model, by its `config.json` as it was parsed; or the fields that are missing in it. */
export function shapeOf(json: unknown, known: KnownSizes = {}): ModelShape | Lacking {
  const all = objectIn(json);
  const config = textConfig(all);
  const layers = countIn(config, REQUIRED.layers);
  const attentionHeads = countIn(config, REQUIRED.attentionHeads);
  const hidden = countIn(config, REQUIRED.hidden);
  if (layers === undefined || attentionHeads === undefined || hidden === undefined || layers > MOST_LAYERS) {
    const found = { layers, attentionHeads, hidden };
    const lacks = Object.entries(REQUIRED).filter(([name]) => found[name as keyof typeof REQUIRED] === undefined);
    return {
      lacks: lacks.length > 0 ? lacks.map(([, [name]]) => name) : [`${REQUIRED.layers[0]} up to ${MOST_LAYERS}`],
    };
  }
  const kvHeads =
    countIn(config, ['num_key_value_heads', 'num_kv_heads', 'n_head_kv']) ??
    (config['multi_query'] === true ? 1 : attentionHeads);
  const headSize = countIn(config, ['head_dim']) ?? Math.max(1, Math.floor(hidden / attentionHeads));
  const vocabulary = countIn(config, ['vocab_size']) ?? 32_000;
  const heads = { layers, kvHeads, headSize };
  const parameters = known.parameters ?? countParameters(config, { ...heads, attentionHeads, hidden, vocabulary });
  const bits = weightBitsOf({
    ...config,
    quantization_config: config['quantization_config'] ?? all['quantization_config'],
  });
  const onDisk = known.weightBytes ?? (parameters * bits.stored) / 8;
  const longest = longestOf(config);
  return {
    parameters,
    weightBytes: (onDisk * bits.loaded) / bits.stored,
    fileBytes: known.fileBytes ?? onDisk,
    cache: cacheLayersOf(config, heads),
    cacheValueBytes: 2,
    attentionHeads,
    hidden,
    intermediate: intermediateOf(config, hidden),
    vocabulary,
    ...(longest !== undefined && { longest }),
    isBfloat16: bits.isBfloat16,
  };
}

/** More layers than any model has: what is counted layer by layer is bounded. */
const MOST_LAYERS = 1024;

function intermediateOf(config: Readonly<Record<string, unknown>>, hidden: number): number {
  const dense = countIn(config, ['intermediate_size', 'n_inner']) ?? 4 * hidden;
  const active = countIn(config, ['num_experts_per_tok', 'experts_per_token']);
  if (active === undefined) return dense;
  return active * (countIn(config, ['moe_intermediate_size']) ?? dense);
}

/** vLLM's longest context is that of the positions, times the factor of YaRN where the positions are those before it. */
function longestOf(config: Readonly<Record<string, unknown>>): number | undefined {
  const positions = countIn(config, ['max_position_embeddings', 'n_positions', 'max_seq_len', 'seq_length']);
  if (positions !== undefined || textIn(config, 'model_type') !== 'gemma3_text') return positions;
  // A config of Gemma 3 leaves out what is the default of its class (transformers 4.57, configuration_gemma3.py).
  return 131_072;
}
