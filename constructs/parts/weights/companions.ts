import { VOLUME_PATH } from './layout.ts';
import type { Selection } from './selection.ts';

/** What a server may need beside its model, each in a folder of its own on the same volume. */
export const COMPANIONS = ['tokenizer', 'draft', 'vocabulary'] as const;

/** One of {@link COMPANIONS}. */
export type Companion = (typeof COMPANIONS)[number];

/** What of a spec's model says what comes with it. */
export interface AccompaniedModel {
  readonly uri: string;
  readonly tokenizer?: { readonly uri: string } | undefined;
  readonly draft?: { readonly uri: string } | undefined;
  readonly vocabulary?: 'harmony' | 'none' | undefined;
}

/**
 * The vocabulary of gpt-oss's Harmony, by its name, place and checksum in openai-harmony (openai/harmony,
 * src/tiktoken_ext/public_encodings.rs: `O200kHarmony`). vLLM loads it at the first chat (harmony_utils.py, get_encoding).
 */
const HARMONY =
  'https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken#sha256=446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d';

/** The variable by which openai-harmony is told of the folder; it checks the file's checksum, and asks nobody. */
export const VOCABULARY_VARIABLE = 'TIKTOKEN_ENCODINGS_BASE';

/** A tokenizer's repository is often that of a whole model. */
const NO_WEIGHTS = ['safetensors', 'bin', 'pth', 'pt', 'ckpt', 'gguf', 'h5', 'msgpack', 'ot', 'onnx', 'onnx_data'];

/** What comes with a model, by folder. */
export type Companions = Readonly<Partial<Record<Companion, string>>>;

/** The URIs of what is fetched beside a model; the same folders for every host and engine. */
export function companionsOf({ uri, tokenizer, draft, vocabulary }: AccompaniedModel): Companions {
  const speaksHarmony = vocabulary === undefined ? isGptOss(uri) : vocabulary === 'harmony';
  return {
    ...(tokenizer && { tokenizer: tokenizer.uri }),
    ...(draft && { draft: draft.uri }),
    ...(speaksHarmony && { vocabulary: HARMONY }),
  };
}

/** Where the server finds one of them. */
export const companionPath = (companion: Companion): string => `${VOLUME_PATH}/${companion}`;

/** Which files of one of them are fetched. */
export const companionSelection = (companion: Companion): Selection =>
  companion === 'tokenizer' ? { exclude: [...NO_WEIGHTS.map((ending) => `*.${ending}`), 'original/', 'metal/'] } : {};

/** Whether a model that is fetched says by its name that it is OpenAI's gpt-oss, or made from it. */
const isGptOss = (uri: string): boolean => /^(?:hf|huggingface|s3|gs|az):\/\/.*gpt-oss/i.test(uri);
