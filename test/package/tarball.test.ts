import { expect, inject, test } from 'vitest';
import { run } from '../support/run.ts';

const { tarball, operatorTarball } = inject('package');

async function filesOf(packed: string): Promise<readonly string[]> {
  const { stdout } = await run('tar', ['-tzf', packed]);
  return stdout
    .trim()
    .split('\n')
    .map((file) => file.replace(/^package\//, ''));
}

test('the tarball of the constructs has what runs and what is read, and nothing else', async () => {
  const files = await filesOf(tarball);
  const expected =
    /^(dist\/.*\.(js|d\.ts)|dist\/commonjs\/package\.json|bin\/trunnion\.js|package\.json|README\.md|LICENSE)$/;
  expect(files.filter((file) => !expected.test(file))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      'dist/commonjs/index.js',
      'dist/constructs/index.d.ts',
      'dist/stacks/pulumi/index.js',
      'bin/trunnion.js',
      'LICENSE',
    ]),
  );
  expect(files.filter((file) => file.includes('.test.') || /dist\/(cli|cluster|tuning)\//.test(file))).toEqual([]);
});

test('the tarball of the operator has what runs and what is read, and nothing else', async () => {
  const files = await filesOf(operatorTarball);
  const expected =
    /^(dist\/|crds\/|examples\/|cluster\/((control-plane|real-node\/\w+)\/go\.(mod|sum)|real-node\/pause\/main\.go|manifests\/)|package\.json|README\.md|LICENSE)/;
  expect(files.filter((file) => !expected.test(file))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      'dist/cli/main.js',
      'dist/operator/kinds/index.d.ts',
      'dist/install.yaml',
      'dist/crds.yaml',
      'dist/charts/trunnion/values.schema.json',
      'dist/kustomize/cluster/kustomization.yaml',
      'cluster/control-plane/go.mod',
      'cluster/real-node/kubernetes/go.mod',
      'cluster/real-node/pause/main.go',
      'LICENSE',
    ]),
  );
  expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
});

test('no file is in both', async () => {
  const compiled = (files: readonly string[]) => files.filter((file) => file.startsWith('dist/'));
  const ofTheOperator = new Set(compiled(await filesOf(operatorTarball)));
  expect(compiled(await filesOf(tarball)).filter((file) => ofTheOperator.has(file))).toEqual([]);
});

const BOTH = { trunnion: tarball, 'trunnion-operator': operatorTarball };

test.for(Object.entries(BOTH))('publint has nothing to say of %s', async ([, packed]) => {
  expect(await run('publint', [packed, '--strict'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('All good'),
  });
});

test('the types of the constructs resolve wherever ES modules do', async () => {
  expect(await run('attw', [tarball, '--profile', 'esm-only', '--no-color'])).toMatchObject({ code: 0 });
});

test('those of the operator do, too', async () => {
  const entries = ['--entrypoints', '.', './kinds'];
  expect(await run('attw', [operatorTarball, '--profile', 'esm-only', '--no-color', ...entries])).toMatchObject({
    code: 0,
  });
});

test('the types of the root resolve in every way there is', async () => {
  expect(await run('attw', [tarball, '--entrypoints', '.', '--no-color'])).toMatchObject({ code: 0 });
});
