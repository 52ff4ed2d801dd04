import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { trunnion } from '../../support/trunnion.ts';
import { adminClient, clientWith } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { member } from '../support/members.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { modelServingType, servingSpec, ServingUnderTest } from '../support/serving.ts';
import { RIGHTS } from './support/rights.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin, { compat: true }));

const VERBS = [
  'status',
  'status -A',
  'status llama',
  'status modelserving/llama',
  'status nobody',
  'logs llama --tail 1',
  'logs llama --tail 1 --follow',
  'plan -f llama.yaml',
  'plan -f fresh.yaml',
  'tuning search',
  'adopt llama --dry-run',
  'adopt --all --dry-run',
  'release llama --dry-run',
  'doctor',
] as const;

/** What follows a log ends with its pods: who may do so is not waited for. */
const FOLLOWS = '(follows)';
const PATIENCE_MS = 5_000;

/** The lines that say what is not shown, and why; and what a plan would do. */
const TELLING = /may not|can not be looked at|error:|there is no|one of these|^ {2}[~+]/;

/** Names of fetches have the hash of what they fetch with, which is another one in each release. */
const HASH = /-[0-9a-f]{10}\b/g;

async function folderWith(files: Readonly<Record<string, object>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trunnion-rights-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), stringify(content));
  return folder;
}

const resource = (name: string) => ({
  apiVersion: 'trunnion.dev/v1alpha1',
  kind: 'ModelServing',
  metadata: { name },
  spec: { ...servingSpec, replicas: 3 },
});

test('each command asks what it needs, and says what the caller may not see', { timeout: 300_000 }, async () => {
  const namespace = await testNamespace(admin);
  const other = await testNamespace(admin);
  await startOperator(admin, namespace);
  const serving = new ServingUnderTest(admin, namespace);
  await serving.apply(servingSpec);
  await serving.reaches('Running');
  const folder = await folderWith({ 'llama.yaml': resource('llama'), 'fresh.yaml': resource('fresh') });
  const lines: string[] = [];
  for (const [who, { rights, elsewhere = false }] of Object.entries(RIGHTS)) {
    const { user, kubeconfig, token } = await member(admin, elsewhere ? other : namespace, rights, namespace);
    const client = clientWith(token);
    onTestFinished(() => client.close());
    if ('clusterRole' in rights && !elsewhere) await eventually(() => client.list(modelServingType, { namespace }));
    lines.push(`# ${who}`);
    for (const verb of VERBS) {
      const args = verb.replace(/(\w+\.yaml)/, `${folder}/$1`).split(' ');
      const ended = trunnion([...args, '--kubeconfig', kubeconfig]);
      const follows = verb.endsWith('--follow');
      const result = await (follows ? Promise.race([ended, sleep(PATIENCE_MS, undefined)]) : ended);
      lines.push(`$ trunnion ${verb}${result === undefined ? `  ${FOLLOWS}` : `  → ${result.code}`}`);
      // What release prints are whole manifests.
      const printed = verb.startsWith('release') ? '' : result?.stdout;
      const said = `${result?.stderr ?? ''}${printed ?? ''}`
        .replaceAll(user, 'USER')
        .replaceAll(namespace, 'NS')
        .replaceAll(HASH, '-HASH');
      for (const line of said.split('\n').filter((each) => TELLING.test(each))) lines.push(`    ${line.trim()}`);
    }
    lines.push('');
  }
  await expect(lines.join('\n')).toMatchFileSnapshot('./support/rights.txt');
});
