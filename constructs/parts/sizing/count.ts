import type { PlainObject } from '../../schema/json.ts';
import { countIn, textIn } from './numbers.ts';
import type { Heads } from './layers.ts';

/** What of a model its parameters are counted from. */
export interface Widths extends Heads {
  readonly attentionHeads: number;
  readonly hidden: number;
  readonly vocabulary: number;
}

/**
 * The parameters of a decoder with gated feed-forward layers, counted from `config.json`: within a few percent. Norms, biases and
 * what sees or hears are left out.
 */
export function countParameters(config: PlainObject, widths: Widths): number {
  const { layers, hidden, vocabulary } = widths;
  const experts = countIn(config, ['n_routed_experts', 'num_local_experts', 'num_experts']) ?? 0;
  const dense = 3 * hidden * (countIn(config, ['intermediate_size', 'n_inner']) ?? 4 * hidden);
  const expertWidth = countIn(config, ['moe_intermediate_size', 'intermediate_size']) ?? 4 * hidden;
  const shared = countIn(config, ['n_shared_experts']) ?? 0;
  const mixture = 3 * hidden * expertWidth * (experts + shared) + hidden * experts;
  const denseLayers = experts === 0 ? layers : Math.min(layers, countIn(config, ['first_k_dense_replace']) ?? 0);
  const embeddings = (isTied(config) ? 1 : 2) * vocabulary * hidden;
  return embeddings + layers * attention(config, widths) + denseLayers * dense + (layers - denseLayers) * mixture;
}

/** Whether the embeddings are the last layer as well: for models of Gemma that is so where their config says nothing. */
const isTied = (config: PlainObject): boolean =>
  config['tie_word_embeddings'] === true ||
  (config['tie_word_embeddings'] === undefined && textIn(config, 'model_type').startsWith('gemma'));

function attention(config: PlainObject, { attentionHeads, kvHeads, headSize, hidden }: Widths): number {
  const rank = countIn(config, ['kv_lora_rank']);
  if (rank === undefined) return hidden * headSize * (2 * attentionHeads + 2 * kvHeads);
  const rope = countIn(config, ['qk_rope_head_dim']) ?? 0;
  const nope = countIn(config, ['qk_nope_head_dim']) ?? 0;
  const value = countIn(config, ['v_head_dim']) ?? nope;
  const queries = countIn(config, ['q_lora_rank']);
  const toQueries = attentionHeads * (nope + rope);
  return (
    (queries === undefined ? hidden * toQueries : queries * (hidden + toQueries)) +
    hidden * (rank + rope) +
    rank * attentionHeads * (nope + value) +
    attentionHeads * value * hidden
  );
}
