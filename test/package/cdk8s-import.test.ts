import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { blocks, commandsOf, fileOf, isTyped } from '../support/markdown.ts';
import { pythonWith } from '../support/python-environment.ts';
import { run } from '../support/run.ts';

const PAGE = 'docs/languages.md';
const folder = mkdtempSync(join(tmpdir(), 'trunnion-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let env: NodeJS.ProcessEnv;

/** A folder of a user who has both packages, cdk8s and its package for Python. */
beforeAll(async () => {
  const python = await pythonWith('test/package/support/python/requirements.txt', (line) => console.error(line));
  const bin = join(inject('package').operatorProject, 'node_modules/.bin');
  const PATH = [python, bin, dirname(process.execPath), resolve('node_modules/.bin'), process.env['PATH']];
  // It asks a registry for a newer version of itself, which tells nothing here.
  env = { ...process.env, PATH: PATH.join(delimiter), CDK8S_CHECK_UPGRADE: 'false' };
  // Where the imports of Go belong to a module.
  writeFileSync(join(folder, 'go.mod'), 'module user\n');
  // What npx would fetch.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('node_modules/cdk8s-cli'), join(folder, 'node_modules/cdk8s-cli'));
  await type('trunnion install --print > trunnion.yaml');
});

const shown = (await blocks()).filter(({ file }) => file === PAGE);
const typed = shown.filter(isTyped).flatMap((block) => commandsOf(block).map(({ line }) => line));

/** Types a command of the page. */
async function type(start: string): Promise<void> {
  const line = typed.find((command) => command.startsWith(start)) ?? `the page has no ${start}`;
  const { code, stdout, stderr } = await run('bash', ['-o', 'pipefail', '-c', line], { cwd: folder, env });
  if (code !== 0) throw new Error(`${line} ended with ${code}:\n${stdout}${stderr}`);
}

const QWEN = `
apiVersion: trunnion.dev/v1alpha1
kind: ModelServing
metadata: { name: qwen, namespace: default }
spec:
  model: { uri: pvc://weights/qwen }
  engine: { type: vllm }
  resources: { gpu: 1, memory: 16Gi }
  replicas: 1
`;

test('a program of Python has typed resources after the import that the page shows, and renders as YAML does', async () => {
  for (const block of shown.filter((block) => fileOf(block) === 'main.py')) {
    writeFileSync(join(folder, 'main.py'), block.text);
  }
  await type('npx cdk8s-cli import trunnion.yaml --language python');
  await type('python main.py | trunnion render -f - --keep-others');
  writeFileSync(join(folder, 'qwen.yaml'), QWEN);
  expect(await run('bash', ['-c', 'trunnion render -f qwen.yaml | diff - objects.yaml'], { cwd: folder, env })).toEqual(
    {
      code: 0,
      stdout: '',
      stderr: '',
    },
  );
});

test.for(['typescript', 'go', 'java'])('cdk8s imports all kinds for %s', async (language) => {
  const { code, stdout, stderr } = await run(
    'npx',
    ['cdk8s-cli', 'import', 'trunnion.yaml', '--language', language, '--output', `for-${language}`, '--no-save'],
    { cwd: folder, env },
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  for (const kind of ['agentservice', 'distributedtraining', 'modelserving'])
    expect(stdout).toContain(`trunnion.dev/${kind}`);
});
