import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trunnion } from '../../support/trunnion.ts';

let dir = '';

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'trunnion-cluster-test-')), 'cluster');
});

afterEach(async () => {
  await trunnion(['cluster', 'down', '--dir', dir]);
  rmSync(join(dir, '..'), { recursive: true, force: true });
});

const up = ['cluster', 'up', '--nodes', '1', '--gpus-per-node', '2'];

test('a cluster in the background is started, described, found again and stopped', async () => {
  const started = await trunnion([...up, '--dir', dir]);
  expect(started).toMatchObject({ code: 0, stdout: `${dir}/kubeconfig\n` });

  const status = await trunnion(['cluster', 'status', '--dir', dir]);
  expect(status).toMatchObject({ code: 0, stdout: `${dir}/kubeconfig\n` });
  expect(status.stderr).toContain('1 nodes with 2 GPUs each');

  const again = await trunnion([...up, '--dir', dir]);
  expect(again).toMatchObject({ code: 0, stdout: `${dir}/kubeconfig\n` });
  expect(again.stderr).toContain('It runs already');

  expect(await trunnion(['cluster', 'down', '--delete-data', '--dir', dir])).toMatchObject({ code: 0, stdout: '' });
  expect(await trunnion(['cluster', 'status', '--dir', dir])).toMatchObject({ code: 1, stdout: '' });
  expect(existsSync(dir)).toBe(false);
});

test('stopping a cluster that does not run is no error', async () => {
  expect(await trunnion(['cluster', 'down', '--dir', dir])).toMatchObject({ code: 0, stderr: 'No cluster runs.\n' });
});
