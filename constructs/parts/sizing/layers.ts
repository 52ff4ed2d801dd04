import type { PlainObject } from '../../schema/json.ts';
import { countIn, textIn, textsIn } from './numbers.ts';
import type { CacheLayers } from './shape.ts';

/** What of the heads of a model is known. */
export interface Heads {
  readonly layers: number;
  readonly kvHeads: number;
  readonly headSize: number;
}

/**
 * What the layers of a model keep of each token, by its `config.json`.
 *
 * - MLA (DeepSeek, Kimi) keeps one vector for keys and values of all heads, and each GPU keeps all of it.
 * - Layers with a window keep no more tokens than it has. Which ones have it is in `layer_types`, or follows from a pattern.
 * - Layers of linear attention keep a state that doesn't grow.
 */
export function cacheLayersOf(config: PlainObject, { layers, kvHeads, headSize }: Heads): readonly CacheLayers[] {
  const rank = countIn(config, ['kv_lora_rank']);
  if (rank !== undefined) {
    return [{ layers, values: rank + (countIn(config, ['qk_rope_head_dim']) ?? 0), heads: 1 }];
  }
  const window = windowOf(config);
  const kinds = kindsOf(config, layers, window !== undefined);
  const ofKind = (kind: Kind): number => kinds.filter((each) => each === kind).length;
  const one = { values: 2 * kvHeads * headSize, heads: kvHeads };
  const both = [
    { layers: ofKind('full'), ...one },
    { layers: ofKind('window'), ...one, ...(window !== undefined && { window }) },
  ];
  return both.filter((each) => each.layers > 0);
}

type Kind = 'full' | 'window' | 'state';

function kindsOf(config: PlainObject, layers: number, hasWindow: boolean): readonly Kind[] {
  const types = textsIn(config, 'layer_types');
  if (types !== undefined) return types.slice(0, layers).map((type) => kindOf(type, hasWindow));
  const linear = countIn(config, ['full_attention_interval']);
  if (linear !== undefined) return repeated(layers, linear, 'state');
  if (!hasWindow) return repeated(layers, 1, 'full');
  const every = patternOf(config);
  return every === undefined ? repeated(layers, layers + 1, 'window') : repeated(layers, every, 'window');
}

function kindOf(type: string, hasWindow: boolean): Kind {
  if (/linear|mamba|recurrent|conv/.test(type)) return 'state';
  return hasWindow && /sliding|chunked|local/.test(type) ? 'window' : 'full';
}

/** Layers of which each n-th one keeps all tokens, and the others are of another kind. */
const repeated = (layers: number, every: number, others: Kind): readonly Kind[] =>
  Array.from({ length: layers }, (_, index) => ((index + 1) % every === 0 ? 'full' : others));

/** Each so many layers one has no window (Gemma 2 and 3 in their first configs); undefined where all have it. */
function patternOf(config: PlainObject): number | undefined {
  const given = countIn(config, ['sliding_window_pattern']);
  if (given !== undefined) return given;
  if (textIn(config, 'model_type').startsWith('gemma3')) return 6;
  return textIn(config, 'model_type') === 'gemma2' ? 2 : undefined;
}

/** Models of Qwen name a window that they don't use. */
const windowOf = (config: PlainObject): number | undefined =>
  config['use_sliding_window'] === false ? undefined : countIn(config, ['sliding_window', 'attention_chunk_size']);
