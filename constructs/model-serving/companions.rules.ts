import type { Rule } from '../schema/rules.ts';
import { isFetched } from './uri.rules.ts';

/** Engines that take a tokenizer from another folder, or a draft model. */
const TAKERS = "['vllm', 'sglang', 'custom']";

/** One Secret and one identity are for one host. */
const SCHEMES = ['^(hf|huggingface)://', '^s3://', '^gs://', '^az://'];
const sameScheme = (uri: string): string =>
  SCHEMES.map((scheme) => `self.model.uri.matches('${scheme}') && ${uri}.matches('${scheme}')`).join(' || ');

const ofEngines = (field: 'tokenizer' | 'draft'): Rule => ({
  rule: `!has(self.model.${field}) || self.engine.type in ${TAKERS}`,
  fieldPath: `.model.${field}`,
  message: 'is for vllm, sglang and custom only: leave it out, since tgi, triton and tensorflow-serving take none',
});

const ofScheme = (field: 'tokenizer' | 'draft'): Rule => ({
  rule: `!has(self.model.${field}) || ${sameScheme(`self.model.${field}.uri`)}`,
  fieldPath: `.model.${field}.uri`,
  message:
    'must have the scheme of model.uri, which is one of hf://, s3://, gs:// and az://, since both are fetched with the same credentials: put the one beside the other',
});

const notByHand = (field: 'tokenizer' | 'draft', names: string, pattern: string): Rule => ({
  rule: `!has(self.model.${field}) || !(self.engine.type in ['vllm', 'sglang']) || !has(self.engine.args) || !self.engine.args.exists(a, a.matches('${pattern}'))`,
  fieldPath: '.engine.args',
  message: `must have none of ${names}: they follow from model.${field}`,
});

/** Rules of `spec` about what comes with a model. */
export const companionRules: readonly Rule[] = [
  ofEngines('tokenizer'),
  ofEngines('draft'),
  ofScheme('tokenizer'),
  ofScheme('draft'),
  notByHand('tokenizer', '--tokenizer, --tokenizer-path', '^--tokenizer(.path)?(=|$)'),
  // vLLM 0.30.0, engine/arg_utils.py: --speculative-config is -sc as well, takes its parts behind a dot, and ends the server
  // where --spec-method, --spec-model or --spec-tokens says the same. SGLang 0.5.18, srt/server_args.py: --speculative-draft-model
  // is the path.
  notByHand(
    'draft',
    '--speculative-config, -sc, --spec-method, --spec-model, --spec-tokens, --speculative-draft-model-path, --speculative-draft-model, --speculative-algorithm',
    '^(-sc|--spec.(method|model|tokens)|--speculative.(config|algorithm|draft.model(.path)?))([=.]|$)',
  ),
  {
    rule: "!has(self.model.draft) || self.engine.type != 'vllm' || has(self.model.draft.tokens)",
    fieldPath: '.model.draft.tokens',
    message:
      'is required by vllm, which finds a default in few draft models: give the number that the draft model was made for, or 3',
  },
  {
    rule: "!has(self.model.draft) || self.engine.type == 'vllm' || !has(self.model.draft.tokens)",
    fieldPath: '.model.draft.tokens',
    message:
      'is for vllm only: leave it out; sglang chooses it, or takes --speculative-num-steps, --speculative-eagle-topk and --speculative-num-draft-tokens in engine.args, all three together',
  },
  {
    rule: `!has(self.model.vocabulary) || self.model.vocabulary == 'none' || ${isFetched('self.model.uri')}`,
    fieldPath: '.model.vocabulary',
    message:
      'must be none or left out for pvc:// and oci://, since nothing is fetched: put o200k_base.tiktoken beside the model, and name its folder in TIKTOKEN_ENCODINGS_BASE of engine.env',
  },
];
