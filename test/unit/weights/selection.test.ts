import { describe, expect, test } from 'vitest';
import { select } from '../../../fetcher/selection.ts';
import type { Selection } from '../../../constructs/parts/weights/selection.ts';

const LARGE = 1e9;

const selected = (files: Readonly<Record<string, number>>, selection: Selection = {}, takesGguf?: boolean): string[] =>
  select(
    Object.entries(files).map(([path, bytes]) => ({ path, bytes })),
    selection,
    takesGguf,
  ).map(({ path }) => path);

const large = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, LARGE]));

describe('by default', () => {
  test('beside safetensors no copy of the weights in another format is fetched', () => {
    expect(
      selected({
        '.gitattributes': 1,
        'config.json': 1,
        'model.safetensors': LARGE,
        'pytorch_model.bin': LARGE,
        'training_args.bin': 1000,
        'original/consolidated.00.pth': LARGE,
        'onnx/model.onnx': LARGE,
        'onnx/config.json': 1,
      }),
    ).toEqual(['config.json', 'model.safetensors', 'training_args.bin', 'onnx/config.json']);
  });

  test('a repository without safetensors is fetched whole', () => {
    const files = { 'config.json': 1, 'pytorch_model.bin': LARGE, 'model-q4.gguf': LARGE };
    expect(selected(files)).toEqual(Object.keys(files));
  });

  test('safetensors of one folder say nothing of another one', () => {
    const files = { 'vae/model.safetensors': LARGE, 'unet/model.bin': LARGE };
    expect(selected({ ...files, 'vae/model.bin': LARGE })).toEqual(Object.keys(files));
  });

  test("Mistral's weights are fetched once, and not in its own format as well", () => {
    const files = {
      'params.json': 1,
      ...large('model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'),
    };
    expect(selected({ ...files, 'consolidated.safetensors': LARGE })).toEqual(Object.keys(files));
    expect(selected({ ...files, ...large('consolidated-00001-of-00002.safetensors') })).toEqual(Object.keys(files));
  });

  test("a model that has nothing but Mistral's own format keeps it", () => {
    const files = { 'params.json': 1, ...large('consolidated-00001-of-00002.safetensors') };
    expect(selected(files)).toEqual(Object.keys(files));
  });

  test("gpt-oss's folders original and metal are left out, with safetensors and settings in them", () => {
    const files = { 'config.json': 1, ...large('model-00000-of-00002.safetensors') };
    const copies = { 'original/config.json': 1, ...large('original/model.safetensors', 'metal/model.bin') };
    expect(selected({ ...files, ...copies })).toEqual(Object.keys(files));
  });

  test('a folder of that name is fetched where nothing lies beside it', () => {
    expect(selected(large('original/model.safetensors'))).toEqual(['original/model.safetensors']);
  });

  test('beside the weights of PyTorch those of other frameworks are left out', () => {
    const files = { 'config.json': 1, 'pytorch_model.bin': LARGE };
    expect(
      selected({ ...files, ...large('tf_model.h5', 'flax_model.msgpack', 'rust_model.ot', 'onnx/m.onnx') }),
    ).toEqual(Object.keys(files));
  });

  test('a file whose size its host does not say counts as a large one', () => {
    const files = [
      { path: 'model.safetensors', bytes: undefined },
      { path: 'model.bin', bytes: undefined },
    ];
    expect(select(files, {})).toEqual(files.slice(0, 1));
  });
});

describe('patterns', () => {
  const llama = { 'config.json': 1, ...large('model.safetensors', 'original/params.json', 'original/a.pth') };

  test('what include names is fetched, and nothing else: not even the defaults leave out any of it', () => {
    expect(selected(llama, { include: ['original/'] })).toEqual(['original/params.json', 'original/a.pth']);
    expect(selected(llama, { include: ['*'] })).toEqual(Object.keys(llama));
  });

  test('what exclude names is left out, of the defaults as well as of include', () => {
    expect(selected(llama, { exclude: ['*.json'] })).toEqual(['model.safetensors']);
    expect(selected(llama, { include: ['original/*'], exclude: ['*.pth'] })).toEqual(['original/params.json']);
  });

  test('a selection of nothing is refused, and says what there is', () => {
    expect(() => selected(llama, { include: ['*.gguf'] })).toThrow(
      'model.files selects none of the 4 files that there are: "config.json", "model.safetensors"',
    );
    expect(() => selected(llama, { exclude: ['*o*'] })).toThrow('selects none of the 4 files');
  });

  test('of many files that there are, twenty are named', () => {
    const many = large(...Array.from({ length: 50_000 }, (_, at) => `part-${at}.bin`));
    expect(() => selected(many, { include: ['x'] })).toThrow(/"part-19\.bin" and 49980 more$/);
  });
});

describe('GGUF', () => {
  const twenty = { 'README.md': 1, ...large('m-Q4_K_M.gguf', 'm-Q8_0.gguf', 'm-Q4_K_S.gguf', 'mmproj-F16.gguf') };
  const split = large(
    'Q8_0/m-Q8_0-00001-of-00002.gguf',
    'Q8_0/m-Q8_0-00002-of-00002.gguf',
    'Q4/m-Q4-00001-of-00002.gguf',
  );

  test('of several quantizations the one that is named is fetched', () => {
    expect(selected(twenty, { file: 'm-Q4_K_M.gguf' })).toEqual(['README.md', 'm-Q4_K_M.gguf']);
  });

  test('of one that is split all parts come, and no other model', () => {
    expect(selected(split, { file: 'Q8_0/m-Q8_0-00001-of-00002.gguf' })).toEqual(Object.keys(split).slice(0, 2));
  });

  test('a model with safetensors beside it comes without these', () => {
    const files = { 'config.json': 1, ...large('model.safetensors', 'm.gguf') };
    expect(selected(files, { file: 'm.gguf' })).toEqual(['config.json', 'm.gguf']);
  });

  test('include adds what the named one needs beside it', () => {
    const selection = { file: 'm-Q8_0.gguf', include: ['mmproj-F16.gguf'] };
    expect(selected(twenty, selection)).toEqual(['m-Q8_0.gguf', 'mmproj-F16.gguf']);
  });

  test('several, of which none is named, are refused, and the message says which there are', () => {
    expect(() => selected(twenty)).toThrow(
      'there are 3 models in GGUF: name by model.file the one to serve, or by model.files.include all that are to be fetched; there are "m-Q4_K_M.gguf", "m-Q8_0.gguf", "m-Q4_K_S.gguf"',
    );
    expect(() => selected(split)).toThrow('there are 2 models in GGUF');
  });

  test('several are fetched where include asks for them, and exclude may leave one', () => {
    expect(selected(twenty, { include: ['*.gguf'] })).toEqual(Object.keys(twenty).slice(1));
    expect(selected(twenty, { exclude: ['*Q8_0*', '*_S.gguf'] }, true)).toContain('m-Q4_K_M.gguf');
  });

  test.each([
    ['one alone', { 'config.json': 1, ...large('m.gguf') }, 'm.gguf'],
    ['one with what it needs to see', large('m.gguf', 'mmproj-F16.gguf'), 'm.gguf'],
    ['one that is split', large('Q8/m-00001-of-00002.gguf', 'Q8/m-00002-of-00002.gguf'), 'Q8/m-00001-of-00002.gguf'],
    ['one beside a few settings in another format', { 'training_args.bin': 1000, ...large('m.gguf') }, 'm.gguf'],
  ])('%s is refused where the engine must be given its file, and the message says which', (_, files, file) => {
    expect(() => selected(files)).toThrow(
      `all weights are in GGUF, which this engine finds in no folder: set spec.model.file: "${file}" (vllm, sglang)`,
    );
    expect(selected(files, {}, true)).toEqual(Object.keys(files));
    expect(selected(files, { include: ['*'] })).toEqual(Object.keys(files));
    expect(selected(files, { file })).toContain(file);
  });

  test.each([
    ['safetensors', { 'tiny.safetensors': 1000, 'm.gguf': 1000 }],
    ['weights of PyTorch', large('pytorch_model.bin', 'm.gguf')],
    ['nothing but what models need to see', large('mmproj-F16.gguf')],
  ])('one beside %s is no reason to ask for its name', (_, files) => {
    expect(selected(files)).toEqual(Object.keys(files));
  });

  test('a name that misleads stands in quotes', () => {
    expect(() => selected(large('a\nb.gguf'))).toThrow('set spec.model.file: "a\\nb.gguf"');
  });

  test('one that is not there is refused, and the message says which are', () => {
    expect(() => selected(twenty, { file: 'm-Q5.gguf' })).toThrow(
      'there is no file "m-Q5.gguf", which model.file names: the files in GGUF are "m-Q4_K_M.gguf"',
    );
    expect(() => selected({ a: 1 }, { file: 'm.gguf' })).toThrow('the files are "a"');
  });

  test('one that lacks a part, or that exclude leaves out, is refused', () => {
    expect(() => selected(split, { file: 'Q4/m-Q4-00001-of-00002.gguf' })).toThrow('there are 1 parts and not 2');
    expect(() => selected(twenty, { file: 'm-Q8_0.gguf', exclude: ['*Q8*'] })).toThrow(
      'model.files.exclude leaves out "m-Q8_0.gguf", which model.file needs',
    );
  });
});
