import { minimal, mounted, shared, type RefusedExample } from './example.ts';

type Problems = readonly (readonly [string, string])[];

const uri = 's3://models/llama';
const modelled = (model: object, more: object = {}) => ({ ...minimal, ...more, model: { uri, ...model } });

const patterns: readonly RefusedExample[] = (
  [
    ['', 'should be at least 1 chars long'],
    ['/etc/passwd', 'must be relative to the folder of the model'],
    ['a/../b', 'must be relative to the folder of the model'],
    ['./a', 'must be relative to the folder of the model'],
    ['a//b', 'must be relative to the folder of the model'],
    ['..', 'must be relative to the folder of the model'],
    ['[ab]*', 'no other notation of patterns is known'],
    ['{a,b}', 'no other notation of patterns is known'],
    ['!a', 'no other notation of patterns is known'],
    ['a\\\\b', 'no other notation of patterns is known'],
    ['$(HF_TOKEN)', 'no other notation of patterns is known'],
    ['a\nb', 'no other notation of patterns is known'],
    ['a'.repeat(129), 'Too long: may not be more than 128 bytes'],
  ] as const
).flatMap(([pattern, message]) =>
  ['include', 'exclude'].map((field) => ({
    title: `${JSON.stringify(pattern.slice(0, 20))} in model.files.${field}`,
    spec: modelled({ files: { [field]: [pattern] } }),
    problems: [[`spec.model.files.${field}[0]`, message]] as Problems,
  })),
);

const names: readonly RefusedExample[] = (
  [
    ['/m.gguf', 'must be relative to the folder of the model'],
    ['../m.gguf', 'must be relative to the folder of the model'],
    ['*.gguf', 'must be the path of one file'],
    ['$(A).gguf', 'must be the path of one file'],
    ['model.safetensors', 'must end in .gguf'],
    ['m-00002-of-00003.gguf', 'must be the first part of a model that is split'],
  ] as const
).map(([file, message]) => ({
  title: `the file ${file}`,
  spec: modelled({ file }, { engine: { type: 'sglang' } }),
  problems: [['spec.model.file', message]] as Problems,
}));

const selections: readonly RefusedExample[] = [
  {
    title: 'a selection that says nothing',
    spec: modelled({ files: {} }),
    problems: [['spec.model.files', 'must have include or exclude']],
  },
  {
    title: 'lists of patterns that are empty, or too long',
    spec: modelled({ files: { include: [], exclude: Array.from({ length: 17 }, (_, at) => `${at}`) } }),
    problems: [
      ['spec.model.files.include', 'should have at least 1 items'],
      ['spec.model.files.exclude', 'Too many: 17: must have at most 16 items'],
    ],
  },
  ...['*', '**', '*/'].map((pattern): RefusedExample => ({
    title: `a selection without ${pattern}`,
    spec: modelled({ files: { exclude: [pattern] } }),
    problems: [['spec.model.files.exclude', 'must not be all there is']],
  })),
  {
    title: 'a pattern that is taken in and left out',
    spec: modelled({ files: { include: ['*.json', 'a'], exclude: ['a'] } }),
    problems: [['spec.model.files.exclude', 'must have no pattern of include']],
  },
  {
    title: 'a selection where nothing is fetched',
    spec: { ...mounted, model: { ...mounted.model, files: { include: ['*'] } } },
    problems: [['spec.model.files', 'must be left out for pvc:// and oci://']],
  },
  {
    title: 'a selection of one file of a web server',
    spec: modelled(
      { uri: 'https://models.example.com/m.tgz', files: { include: ['*'] }, file: 'm.gguf' },
      { engine: { type: 'sglang' } },
    ),
    problems: [
      ['spec.model.files', 'must be left out for https://'],
      ['spec.model.file', 'must be left out for https://'],
    ],
  },
  ...['tgi', 'triton', 'tensorflow-serving'].map((type): RefusedExample => ({
    title: `a GGUF file for ${type}`,
    spec: modelled({ file: 'm.gguf' }, { engine: { type, image: 'example.com/engine:1' } }),
    problems: [['spec.model.file', 'is for vllm, sglang and custom only']],
  })),
  {
    title: "a GGUF file for vLLM's own image",
    spec: modelled({ file: 'm.gguf' }, { engine: { type: 'vllm' } }),
    problems: [
      ['spec.engine.image', "is required where vllm is given model.file, since vLLM's own image reads no GGUF"],
    ],
  },
  ...['vllm', 'sglang'].map((type): RefusedExample => ({
    title: `a folder of GGUF for ${type}`,
    spec: modelled({ files: { include: ['*.json', '*Q4_K_M.gguf'] } }, { engine: { type } }),
    problems: [['spec.model.file', 'is required where model.files.include asks for GGUF']],
  })),
  {
    title: 'another kind of volume for the same files of the same model',
    spec: { ...shared, model: { uri, files: { include: ['*'] } } },
    old: { ...minimal, model: { uri, files: { include: ['*'] } } },
    problems: [['spec.storage.accessMode', 'must stay ReadWriteOnce']],
  },
];

const companions: readonly RefusedExample[] = [
  {
    title: 'a tokenizer and a draft model for tgi',
    spec: modelled(
      { tokenizer: { uri }, draft: { uri, method: 'model' } },
      { engine: { type: 'tgi', image: 'example.com/engine:1' } },
    ),
    problems: [
      ['spec.model.tokenizer', 'is for vllm, sglang and custom only'],
      ['spec.model.draft', 'is for vllm, sglang and custom only'],
    ],
  },
  {
    title: 'a tokenizer and a draft model of other schemes',
    spec: modelled({ tokenizer: { uri: 'hf://a/b' }, draft: { uri: 'gs://models/a', method: 'eagle', tokens: 1 } }),
    problems: [
      ['spec.model.tokenizer.uri', 'must have the scheme of model.uri'],
      ['spec.model.draft.uri', 'must have the scheme of model.uri'],
    ],
  },
  {
    title: 'a tokenizer beside a file of a web server',
    spec: modelled({
      uri: 'https://models.example.com/m.gguf',
      tokenizer: { uri: 'https://models.example.com/t.tgz' },
    }),
    problems: [['spec.model.tokenizer.uri', 'must have the scheme of model.uri']],
  },
  {
    title: 'arguments that follow from a tokenizer and a draft model',
    spec: modelled(
      { tokenizer: { uri }, draft: { uri, method: 'eagle', tokens: 1 } },
      { engine: { type: 'vllm', args: ['--tokenizer=a', '--speculative-config={}'] } },
    ),
    problems: [
      ['spec.engine.args', 'they follow from model.tokenizer'],
      ['spec.engine.args', 'they follow from model.draft'],
    ],
  },
  {
    title: 'a draft model for vllm that does not say how many tokens',
    spec: modelled({ draft: { uri, method: 'eagle' } }),
    problems: [['spec.model.draft.tokens', 'is required by vllm']],
  },
  {
    title: 'a number of tokens for sglang',
    spec: modelled({ draft: { uri, method: 'eagle', tokens: 3 } }, { engine: { type: 'sglang' } }),
    problems: [['spec.model.draft.tokens', 'is for vllm only']],
  },
  {
    title: 'a vocabulary where nothing is fetched',
    spec: { ...mounted, model: { ...mounted.model, vocabulary: 'harmony' } },
    problems: [['spec.model.vocabulary', 'must be none or left out for pvc:// and oci://']],
  },
];

/** Which files are fetched, and handed to the engine. */
export const refusedFiles: readonly RefusedExample[] = [...patterns, ...names, ...selections, ...companions];
