import { expect, test } from 'vitest';
import { wanted } from '../../../constructs/parts/weights/fetcher/selection.ts';

const LARGE = 1e9;
const pathsOf = (files: Readonly<Record<string, number>>): string[] =>
  wanted(Object.entries(files).map(([path, bytes]) => ({ path, bytes }))).map(({ path }) => path);

test('beside safetensors no copy of the weights in another format is fetched', () => {
  expect(
    pathsOf({
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
  expect(pathsOf(files)).toEqual(Object.keys(files));
});

test('safetensors of one folder say nothing of another one', () => {
  const files = { 'vae/model.safetensors': LARGE, 'unet/model.bin': LARGE };
  expect(pathsOf({ ...files, 'vae/model.bin': LARGE })).toEqual(Object.keys(files));
});
