import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { packageVersion } from '../../cli/package.ts';
import { architecture } from '../../cluster/index.ts';
import type { Lock } from '../../scripts/release/bill.ts';
import { run } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const release = join(folder, 'release');
const version = packageVersion();

/** A program in cosign's place, which writes down how it was called. */
function cosign(): string {
  const file = join(folder, 'cosign');
  writeFileSync(file, '#!/bin/sh\nprintf "%s\\n" "$@" > "$(dirname "$0")/called"\n');
  chmodSync(file, 0o755);
  return folder;
}

test('a release has all of it, with a bill of materials and signed checksums', async () => {
  const env = { ...process.env, PATH: `${cosign()}${delimiter}${process.env['PATH']}` };
  const { code, stderr } = await run(process.execPath, ['scripts/release/main.ts', release], { env });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(readdirSync(release)).toEqual([
    'SHA256SUMS',
    'install.yaml',
    'sbom.cdx.json',
    `trunnion-${version}.tgz`,
    `trunnion-chart-${version}.tgz`,
    `trunnion-operator-${version}-${architecture()}.tar`,
    `trunnion-operator-${version}.tgz`,
  ]);
  expect(await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: release })).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'called'), 'utf8').split('\n')).toEqual([
    'sign-blob',
    '--yes',
    '--bundle',
    join(release, 'SHA256SUMS.sigstore.json'),
    join(release, 'SHA256SUMS'),
    '',
  ]);
});

interface BillOfMaterials {
  readonly bomFormat: string;
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

test('the bill of materials has every dependency in its version, and none that only developers need', () => {
  const { bomFormat, components } = JSON.parse(readFileSync(join(release, 'sbom.cdx.json'), 'utf8')) as BillOfMaterials;
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const expected = Object.keys(packages['']?.dependencies ?? {}).map(
    (name) => `${name}@${packages[`node_modules/${name}`]?.version}`,
  );
  expect(expected.length).toBeGreaterThan(10);
  expect(bomFormat).toBe('CycloneDX');
  const found = components.map(({ name, version: of }) => `${name}@${of}`);
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(found.filter((name) => /^(vitest|cdk8s|typescript)@/.test(name))).toEqual([]);
});
