import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { adminClient } from '../cluster/support/client.ts';
import { cluster } from '../cluster/support/cluster.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { installTrunnion, startOperator } from '../cluster/support/operator.ts';
import { servingSpec, ServingUnderTest } from '../cluster/support/serving.ts';
import { TrainingUnderTest, trainingSpec } from '../cluster/support/training.ts';
import { axeFindings } from './support/axe.ts';
import { blankPage, shows, withBrowser } from './support/watched.ts';

withBrowser();

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

interface Running {
  readonly child: ChildProcessByStdio<null, Readable, null>;
  /** The address that it printed. */
  readonly url: string;
}

/** `trunnion ui` of a namespace, as a user starts it. */
async function ui(namespace: string): Promise<Running> {
  const args = ['cli/main.ts', 'ui', '-n', namespace, '--kubeconfig', cluster().kubeconfig];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, url };
}

/** A page whose problems are collected. */
async function opened(url: string): Promise<{ readonly page: Page; readonly problems: readonly string[] }> {
  const page = await blankPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(url);
  return { page, problems };
}

test('on a cluster the page shows resources as they change, their objects, events and logs, and says when its server ends', async () => {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const { child, url } = await ui(namespace);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
  const { page, problems } = await opened(url);
  await shows(page, `There are no resources in namespace ${namespace} yet.`);

  const serving = new ServingUnderTest(admin, namespace);
  await serving.apply({ ...servingSpec, resources: { ...servingSpec.resources, gpu: 64 } });
  const training = new TrainingUnderTest(admin, namespace);
  await training.apply(trainingSpec);
  await training.reaches('Running');
  await page.getByRole('row', { name: /^Running resnet DistributedTraining/ }).waitFor({ timeout: 20_000 });
  await page
    .getByRole('row', { name: /Pending llama .* No node has 64 × nvidia\.com\/gpu/ })
    .waitFor({ timeout: 20_000 });

  await page.getByRole('link', { name: 'llama' }).click();
  await shows(page, 'spec.resources.gpu 64 fits no node: the largest has 8 × nvidia.com/gpu');
  await shows(page, /^llama-fetch-/);
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'resnet' }).click();
  await shows(page, 'Attempt 1');
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('row').nth(1).waitFor();
  await page.getByRole('link', { name: 'Logs' }).click();
  await shows(page, 'epoch=1 val_accuracy=0.71');
  await page.keyboard.press('g');
  await page.getByRole('link', { name: 'resnet' }).waitFor();

  await page.keyboard.press('r');
  await page.getByRole('link', { name: 'resnet' }).click();
  await training.finish();
  await page.getByText('Completed').first().waitFor({ timeout: 20_000 });
  expect(problems).toEqual([]);

  child.kill('SIGINT');
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  await page.getByRole('alert').getByText('trunnion ui has ended').waitFor({ timeout: 15_000 });
});
