import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { run } from '../../support/run.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion } from '../support/operator.ts';
import { TrainingUnderTest, trainingSpec } from '../support/training.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** The programs by which kubectl finds the plugin, and its completion. */
const PROGRAMS = { 'kubectl-trunnion': 'cli/main.ts', 'kubectl_complete-trunnion': 'cli/kubectl-complete.ts' };

test('kubectl runs it as a plugin, and completes its verbs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, file] of Object.entries(PROGRAMS)) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec "${process.execPath}" "${resolve(file)}" "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const namespace = await testNamespace(admin);
  await new TrainingUnderTest(admin, namespace).apply(trainingSpec);

  const { kubectl, kubeconfig } = cluster();
  const PATH = [folder, process.env['PATH']].join(delimiter);
  const plugin = (...args: string[]) => run(kubectl, args, { env: { ...process.env, KUBECONFIG: kubeconfig, PATH } });
  const status = await plugin('trunnion', 'status', '-n', namespace);
  expect(status).toMatchObject({ code: 0, stderr: '' });
  expect(status.stdout).toContain('distributedtraining/resnet');
  const { stdout } = await plugin('__complete', 'trunnion', 'sta');
  expect(stdout).toMatch(/^status\t/);
});
