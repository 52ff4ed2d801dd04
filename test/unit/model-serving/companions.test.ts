import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { commandOf, ownVariables } from '../../../constructs/model-serving/launch.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { shared } from './support/specs.ts';

type Model = Partial<ModelServingSpecInput['model']>;

const specOf = (model: Model, type: 'vllm' | 'sglang' = 'vllm', args?: readonly string[]) =>
  parseSpec(modelServing, {
    name: 'llama',
    namespace: 'models',
    host: 'static',
    spec: { ...shared, engine: { type, ...(args && { args }) }, model: { ...shared.model, ...model } },
  });

const argsOf = (model: Model, type?: 'vllm' | 'sglang') =>
  commandOf('llama', specOf(model, type), '/models/weights').args;

const uri = 'hf://acme/tiny';

describe('the engine', () => {
  test('is given a tokenizer from elsewhere', () => {
    expect(argsOf({ tokenizer: { uri } })).toContain('--tokenizer=/models/tokenizer');
    expect(argsOf({ tokenizer: { uri } }, 'sglang')).toContain('--tokenizer-path=/models/tokenizer');
    expect((argsOf({}) ?? []).join()).not.toContain('tokenizer');
  });

  // vLLM 0.30.0, config/speculative.py, SpeculativeMethod. SGLang 0.5.18, srt/speculative/spec_info.py, SpeculativeAlgorithm.
  test.each([
    ['model', 'draft_model', 'STANDALONE'],
    ['eagle', 'eagle', 'EAGLE'],
    ['eagle3', 'eagle3', 'EAGLE3'],
  ] as const)('is given a draft model of the method %s', (method, vllm, sglang) => {
    expect(argsOf({ draft: { uri, method, tokens: 3 } })).toContain(
      `--speculative-config={"method":"${vllm}","model":"/models/draft","num_speculative_tokens":3}`,
    );
    expect(argsOf({ draft: { uri, method } }, 'sglang')).toEqual(
      expect.arrayContaining([`--speculative-algorithm=${sglang}`, '--speculative-draft-model-path=/models/draft']),
    );
  });

  // vLLM 0.30.0, engine/arg_utils.py, create_speculative_config: what is said twice ends the server.
  test.each([
    ['vllm', '-sc={}'],
    ['vllm', '-sc'],
    ['vllm', '--speculative-config.num_speculative_tokens=2'],
    ['vllm', '--speculative_config={}'],
    ['vllm', '--spec-method=eagle'],
    ['vllm', '--spec-model'],
    ['vllm', '--spec-tokens=2'],
    // SGLang 0.5.18, srt/server_args.py, speculative_draft_model_path.
    ['sglang', '--speculative-draft-model=/models/other'],
    ['sglang', '--speculative-draft-model-path'],
    ['sglang', '--speculative-algorithm=EAGLE'],
  ] as const)('%s is not told of a draft model a second time, by %s', (type, arg) => {
    const draft = { uri, method: 'eagle', ...(type === 'vllm' && { tokens: 3 }) } as const;
    expect(() => specOf({ draft }, type, [arg])).toThrow(/spec\.engine\.args.*they follow from model\.draft/s);
    expect(specOf({}, type, [arg]).engine.args).toEqual([arg]);
  });

  test('may be told more about a draft model', () => {
    const args = [
      '--speculative-draft-model-revision=main',
      '--speculative-num-steps=3',
      '--speculative-draft-load-format=auto',
    ];
    expect(specOf({ draft: { uri, method: 'eagle' } }, 'sglang', args).engine.args).toEqual(args);
  });

  test("finds gpt-oss's vocabulary on the volume, and no other model is told of one", () => {
    const base = (model: Model) =>
      ownVariables('llama', specOf(model), '/models/weights', []).find(
        ({ name }) => name === 'TIKTOKEN_ENCODINGS_BASE',
      );
    expect(base({ uri: 'hf://openai/gpt-oss-20b' })).toMatchObject({ value: '/models/vocabulary' });
    expect(base({})).toBeUndefined();
  });
});
