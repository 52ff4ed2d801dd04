import { expect, inject, test } from 'vitest';
import { run } from '../support/run.ts';

const { tarball } = inject('package');

test('the tarball has what runs and what is read, and nothing else', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball]);
  const folders = stdout
    .trim()
    .split('\n')
    .map((file) => file.replace(/^package\//, ''));
  const expected =
    /^(dist\/|crds\/|examples\/|cluster\/(control-plane\/go\.(mod|sum)|manifests\/)|package\.json|README\.md|LICENSE)/;
  expect(folders.filter((file) => !expected.test(file))).toEqual([]);
  expect(folders).toEqual(
    expect.arrayContaining([
      'dist/cli/main.js',
      'dist/commonjs/index.js',
      'dist/constructs/index.d.ts',
      'dist/install.yaml',
      'dist/crds.yaml',
      'dist/charts/trunnion/values.schema.json',
      'dist/kustomize/cluster/kustomization.yaml',
      'cluster/control-plane/go.mod',
      'LICENSE',
    ]),
  );
  expect(folders.filter((file) => file.includes('.test.'))).toEqual([]);
});

test('publint has nothing to say', async () => {
  expect(await run('publint', [tarball, '--strict'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('All good'),
  });
});

test('its types resolve wherever ES modules do', async () => {
  expect(await run('attw', [tarball, '--profile', 'esm-only', '--no-color'])).toMatchObject({ code: 0 });
});

test('the types of the root resolve in every way there is', async () => {
  expect(await run('attw', [tarball, '--entrypoints', '.', '--no-color'])).toMatchObject({ code: 0 });
});
