import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseManifests } from '../../../cli/manifests.ts';
import { packageVersion } from '../../../cli/package.ts';
import { trunnion } from '../../support/trunnion.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-values-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const printed = async (...args: readonly string[]) =>
  parseManifests((await trunnion(['install', '--print', ...args])).stdout, 'what is printed');

const titles = async (...args: readonly string[]): Promise<readonly string[]> =>
  (await printed(...args)).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe('trunnion install --print', () => {
  test('has the operator of this release', async () => {
    const deployment = (await printed()).find(({ kind }) => kind === 'Deployment');
    const image = `docker.io/library/trunnion-operator:${packageVersion()}`;
    expect(deployment).toMatchObject({ spec: { template: { spec: { containers: [{ image }] } } } });
  });

  test('leaves out what only Helm reads', async () => {
    expect(JSON.stringify(await printed())).not.toContain('helm.sh');
  });

  test('with --no-operator has what an operator needs that runs elsewhere, and no pod', async () => {
    const without = await titles('--no-operator');
    expect(without).toEqual(
      expect.arrayContaining(['ServiceAccount trunnion-operator', 'ClusterRole trunnion-operator']),
    );
    const left = (await titles()).filter((title) => !without.includes(title));
    expect(left).toEqual([
      'NetworkPolicy trunnion-operator',
      'Deployment trunnion-operator',
      'Service trunnion-operator',
      'PodDisruptionBudget trunnion-operator',
    ]);
  });

  test('takes settings from a file, over which its own flags go', async () => {
    const file = join(folder, 'values.yaml');
    writeFileSync(file, 'replicas: 3\nwatchNamespace: a\n');
    const manifests = await printed('--values', file, '--watch-namespace', 'b');
    expect(manifests.find(({ kind }) => kind === 'Deployment')).toMatchObject({ spec: { replicas: 3 } });
    expect(manifests.find(({ kind, metadata }) => kind === 'Role' && metadata.namespace === 'b')).toBeDefined();
  });

  test.for([
    ['replica: 3\n', /Unrecognized key: "replica"/],
    ['replicas: many\n', /replicas: .*number.*got "many"/],
    ['3\n', /has no values: write KEY: VALUE/],
  ] as const)('refuses %j, with what is wrong', async ([text, message]) => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, text);
    const { code, stderr } = await trunnion(['install', '--print', '--values', file]);
    expect(stderr).toMatch(message);
    expect(code).not.toBe(0);
  });
});
