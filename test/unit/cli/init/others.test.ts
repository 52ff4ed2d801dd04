import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { trunnion } from '../../../support/trunnion.ts';

test('a training with GPUs is written, and rendered', async () => {
  const training = ['init', 'training', 'resnet', '--image', 'registry.example.com/resnet:1'];
  const { code, stdout } = await trunnion([...training, '--gpu', 'H100', '--gpus', '2', '--workers', '4']);
  expect(code).toBe(0);
  expect(parse(stdout)).toMatchObject({
    kind: 'DistributedTraining',
    spec: { replicas: 4, resources: { gpu: 2, gpuProduct: 'NVIDIA-H100-80GB-HBM3', cpu: '16', memory: '128Gi' } },
  });
  expect(await trunnion(['render', '-f', '-'], stdout)).toMatchObject({ code: 0, stderr: '' });
});

test('a training on CPUs asks for no GPU', async () => {
  const { stdout } = await trunnion(['init', 'training', 'a', '--image', 'a:1', '--gpu', 'none', '--framework', 'jax']);
  expect(parse(stdout)).toMatchObject({ spec: { framework: 'jax', resources: { gpu: 0, cpu: '4' } } });
});

test('an agent is written that asks a ModelServing, or another host', async () => {
  const agent = ['init', 'agent', 'helper', '--image', 'registry.example.com/helper:1'];
  const { stdout } = await trunnion([...agent, '--model-ref', 'qwen']);
  expect(parse(stdout)).toMatchObject({ kind: 'AgentService', spec: { modelRef: { name: 'qwen' } } });
  const { stdout: other } = await trunnion([...agent, '--model', 'gpt-4o']);
  expect(parse(other)).toMatchObject({ spec: { model: 'gpt-4o' } });
  expect(await trunnion(['render', '-f', '-'], other)).toMatchObject({ code: 0 });
});

test.for([
  [['training', 'a'], /--image: .*\n {2}--gpu: /],
  [['training', 'a', '--image', 'a:1', '--gpu', 'L4', '--gpus', '0'], /--gpus must be at least 1/],
  [['training', 'a', '--image', 'a:1', '--gpu', 'L4', '--workers', '0'], /spec\.replicas/],
  [['agent', 'a'], /--image: .*\n {2}--model-ref: /],
  [['agent', 'a', '--model', 'b', '--model-ref', 'c'], /exclude each other/],
] as const)('%j is a usage error', async ([args, words]) => {
  const { code, stdout, stderr } = await trunnion(['init', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(words);
});
