import { describe, expect, test } from 'vitest';
import { trunnion } from '../../support/trunnion.ts';

/** A resource as people write their first one. */
const GOOD = `apiVersion: trunnion.dev/v1alpha1
kind: ModelServing
metadata: {name: llama}
spec:
  model: {uri: "hf://Qwen/Qwen2.5-7B-Instruct"}
  storage: {size: 20Gi}
  engine: {type: vllm}
  resources: {gpu: 1}
`;

const instead = (part: string, other: string): string => GOOD.replace(part, other);
const beside = (line: string): string => `${GOOD}  ${line}\n`;

/** What is said, but for what is not about the mistake. */
async function said(args: readonly string[], input = ''): Promise<string> {
  const { code, stderr, stdout } = await trunnion(args, input);
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
  return stderr;
}

test('without a mistake, all objects are printed', async () => {
  expect(await trunnion(['render', '-f', '-'], GOOD)).toMatchObject({ code: 0, stderr: '' });
});

describe('a mistake in the first resource is refused with what to write', () => {
  test.for<readonly [string, string, string]>([
    [
      'a letter is missing in a field',
      beside('replica: 2'),
      'spec.replica: unknown field "spec.replica"; did you mean "replicas"?',
    ],
    [
      'letters of a field are exchanged',
      instead('storage:', 'stroage:'),
      'spec.stroage: unknown field "spec.stroage"; did you mean "storage"?',
    ],
    [
      'a field stands one level too high',
      beside('gpu: 1'),
      'spec.gpu: unknown field "spec.gpu"; allowed here: model, storage',
    ],
    ['a number is in quotes', instead('gpu: 1', 'gpu: "1"'), '(got "1"): write 1 without quotes'],
    ['a name is a number', instead('name: llama', 'name: 5'), 'metadata.name must be a text (write "5", in quotes)'],
    ['the name is missing', instead('{name: llama}', '{}'), 'metadata.name is missing'],
    [
      'the name has capitals',
      instead('name: llama', 'name: Llama_3'),
      'metadata.name: must be lower-case letters, digits and "-"',
    ],
    [
      'the kind has a small letter',
      instead('ModelServing', 'Modelserving'),
      'did you mean kind: ModelServing with apiVersion: trunnion.dev/v1alpha1?',
    ],
    [
      'the version is another',
      instead('v1alpha1', 'v1'),
      'did you mean kind: ModelServing with apiVersion: trunnion.dev/v1alpha1?',
    ],
    ['the apiVersion is missing', instead('apiVersion: trunnion.dev/v1alpha1\n', ''), 'apiVersion is missing'],
    [
      'a size is in GB',
      instead('20Gi', '20GB'),
      '(got "20GB"): write 20Gi for units of 1024, or 20G for units of 1000',
    ],
    [
      'memory is in GB',
      instead('gpu: 1', 'gpu: 1, memory: 64GB'),
      '(got "64GB"): write 64Gi for units of 1024, or 64G for units of 1000',
    ],
    ['an engine is written as it is said', instead('type: vllm', 'type: vLLM'), '(got "vLLM"): did you mean "vllm"?'],
    [
      'a model has no scheme',
      instead('hf://', ''),
      'spec.model.uri: must begin with one of hf://, huggingface://, s3://',
    ],
    [
      'arguments are one text',
      instead('type: vllm', 'type: vllm, args: "--max-model-len 4096"'),
      'write a list, one item for each word: ["--max-model-len", "4096"]',
    ],
    [
      'an argument and its value are one text',
      instead('type: vllm', 'type: vllm, args: ["--max-model-len 4096"]'),
      'must have an argument and its value apart: "--max-model-len", "4096"',
    ],
    ['there is no spec', GOOD.slice(0, GOOD.indexOf('spec:')), 'spec: Required value'],
    ['the GPUs are missing', instead('  resources: {gpu: 1}\n', ''), 'spec.resources: Required value'],
    ['replicas are fewer than none', beside('replicas: -1'), 'should be greater than or equal to 0 (got -1)'],
    [
      'replicas and an autoscaler both are given',
      beside('replicas: 2\n  autoscaling: {minReplicas: 1, maxReplicas: 2, targets: {cpuPercent: 70}}'),
      'spec.replicas: must be left out where autoscaling is given',
    ],
    [
      'a line begins with a tab',
      instead('  model:', '\tmodel:'),
      'Tabs are not allowed as indentation at line 5, column 1',
    ],
    [
      'a line is not as far in as the others',
      instead('  storage:', ' storage:'),
      'All mapping items must start at the same column at line 6, column 1',
    ],
    ['a field stands twice', beside('engine: {type: sglang}'), 'the key "engine" stands twice in one map: leave one'],
    ['the file is empty', '', 'is empty: give YAML or JSON with at least one resource'],
    [
      'the file has other objects alone',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n',
      'has no resource; there are: ModelServing (trunnion.dev/v1alpha1)',
    ],
    [
      "weights of a volume of one's own are to be stored",
      instead('hf://Qwen/Qwen2.5-7B-Instruct', 'pvc://weights'),
      'spec.storage: must be left out for pvc:// and oci://',
    ],
  ])('%s', async ([, yaml, words]) => {
    expect(await said(['render', '-f', '-'], yaml)).toContain(words);
  });
});

describe('a mistake in the command is refused with what to type', () => {
  test.for<readonly [readonly string[], string]>([
    [['stauts'], "unknown command 'stauts'\n(Did you mean status?)"],
    [['render'], "required option '-f, --file <path>' not specified"],
    [['render', '-f', 'nope.yaml'], "nope.yaml can't be read: ENOENT: no such file or directory"],
    [['render', '-f', 'test'], 'test is a folder, and one file is read'],
    [['render', '-f', 'https://example.com/model.yaml'], 'curl -sL https://example.com/model.yaml | trunnion ... -f -'],
    [['init', 'serving', 'llama'], '--model'],
    [['init', 'serving', 'llama', '--model', 'hf://a/b', '--gpu', 'A100'], 'did you mean'],
  ])('%j', async ([args, words]) => {
    expect(await said(args)).toContain(words);
  });
});
