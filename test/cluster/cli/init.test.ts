import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLIC_MODELS } from '../../support/model-configs.ts';
import { trunnion } from '../../support/trunnion.ts';
import { adminClient, kubectl } from '../support/client.ts';
import { installTrunnion } from '../support/operator.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-init-'));

beforeAll(() => installTrunnion(adminClient()));
afterAll(() => rmSync(folder, { recursive: true }));

const QWEN = ['serving', 'qwen', '--model', 'hf://Qwen/Qwen2.5-7B-Instruct', '--secret', 'hf-token'];

const config = join(folder, 'config.json');

test.for([
  ...['T4', 'A100-80GB', 'MI300X', 'none'].map((gpu) => [...QWEN, '--config', config, '--gpu', gpu]),
  ['serving', 'shared', '--model', 's3://models/qwen/', '--config', config, '--gpu', 'L4', '--replicas', '3'],
  ['serving', 'mounted', '--model', 'pvc://weights/qwen', '--parameters', '7B', '--gpu', 'H100', '--gpus', '2'],
  ['training', 'resnet', '--image', 'registry.example.com/resnet:1', '--gpu', 'H100', '--gpus', '8', '--workers', '4'],
  ['training', 'tiny', '--image', 'registry.example.com/tiny:1', '--gpu', 'none', '--framework', 'jax'],
  ['agent', 'helper', '--image', 'registry.example.com/helper:1', '--model-ref', 'qwen'],
  ['agent', 'helper', '--image', 'registry.example.com/helper:1', '--model', 'gpt-4o'],
])('the API server takes what trunnion init %s %s writes', async (args) => {
  const qwen = PUBLIC_MODELS.find(({ name }) => name === 'Qwen/Qwen2.5-7B-Instruct');
  writeFileSync(config, JSON.stringify(qwen?.config));
  const file = join(folder, 'written.yaml');
  expect(await trunnion(['init', ...args, '-o', file, '--force'])).toMatchObject({ code: 0, stdout: '' });
  expect(await kubectl('apply', '--dry-run=server', '-f', file)).toContain('created (server dry run)');
});
