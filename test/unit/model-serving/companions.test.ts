import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { commandOf, ownVariables } from '../../../constructs/model-serving/launch.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { shared } from './support/specs.ts';

type Model = Partial<ModelServingSpecInput['model']>;

const specOf = (model: Model, type: 'vllm' | 'sglang' = 'vllm') =>
  parseSpec(modelServing, {
    name: 'llama',
    namespace: 'models',
    host: 'static',
    spec: { ...shared, engine: { type }, model: { ...shared.model, ...model } },
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

  // vLLM: config/speculative.py, SpeculativeMethod. SGLang: server_args.py, --speculative-algorithm.
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

  test("finds gpt-oss's vocabulary on the volume, and no other model is told of one", () => {
    const base = (model: Model) =>
      ownVariables('llama', specOf(model), '/models/weights', []).find(
        ({ name }) => name === 'TIKTOKEN_ENCODINGS_BASE',
      );
    expect(base({ uri: 'hf://openai/gpt-oss-20b' })).toMatchObject({ value: '/models/vocabulary' });
    expect(base({})).toBeUndefined();
  });
});
