import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { trunnion } from '../../support/trunnion.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { TrainingUnderTest, trainingSpec } from '../support/training.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const where = (namespace: string): string[] => ['-n', namespace, '--kubeconfig', cluster().kubeconfig];

/** A training whose two ranks run until they are told otherwise. */
async function running(): Promise<TrainingUnderTest> {
  const namespace = await testNamespace(admin);
  await startOperator(admin, namespace);
  const training = new TrainingUnderTest(admin, namespace);
  await training.apply(trainingSpec);
  await training.reaches('Running');
  return training;
}

test('prints the lines of every rank behind its name; of one rank, or the last line alone, on request', async () => {
  const { namespace } = await running();
  await eventually(async () => {
    const { code, stdout, stderr } = await trunnion(['logs', 'resnet', ...where(namespace)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^(worker-0 │ .*\n)+(worker-1 │ .*\n)+$/);
    expect(stdout).toContain('worker-1 │ epoch=1 val_accuracy=0.71\n');
  });
  const one = await trunnion(['logs', 'resnet', '--rank', '1', '--tail', '1', ...where(namespace)]);
  expect(one.stdout).toMatch(/^worker-1 │ .+\n$/);
  const times = await trunnion(['logs', 'resnet', '--rank', '0', '--timestamps', ...where(namespace)]);
  expect(times.stdout).toMatch(/^worker-0 │ 2026-01-01T\S+Z epoch=1 /);
});

test('the ranks of a new attempt join in, and the end of the training is the end', async () => {
  const training = await running();
  const args = ['cli/main.ts', 'logs', 'resnet', '--follow', ...where(training.namespace)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const closed = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await eventually(() => expect(output).toMatch(/^worker-1 +│ epoch=1 /m), { timeout: 60_000 });
  await training.simulate(1, { fail: '1' });
  await training.shows(({ status }) => expect(status).toMatchObject({ attempt: 2, phase: 'Running' }));
  await training.finish();
  await closed;
  expect(child.exitCode).toBe(0);
  expect(output).toMatch(/^worker-0 +│ epoch=1 /m);
  expect(output).toMatch(/^worker-1 #2 +│ epoch=1 /m);
  // However often the simulated node ends a log that it should continue with.
  expect(output.match(/^worker-0 #2 +│ epoch=1 /gm)).toHaveLength(1);
});

test('what has no log says where to look', async () => {
  const namespace = await testNamespace(admin);
  await new TrainingUnderTest(admin, namespace).apply(trainingSpec);
  const { code, stdout, stderr } = await trunnion(['logs', 'resnet', ...where(namespace)]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('trunnion status resnet says how it is doing');
});
