import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chartFiles } from '../../cli/kind/files.ts';
import { identityFor } from '../../operator/engine/api/index.ts';
import { withAtomicDefaults } from '../../constructs/atomic-defaults.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { definitions, operator, rights, rightsOfUsers } from '../../stacks/operator/defined/objects.ts';
import { definedSettings } from '../../stacks/operator/defined/settings.ts';
import { WebApp } from '../unit/cli/user-kinds/support/web-app.ts';
import { helm } from '../support/helm.ts';
import { byTitle, byTitleIn } from './support/objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-defined-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const acme = { identity: identityFor({ name: 'acme-operator', domain: 'acme.dev' }), kinds: [WebApp] };
const version = '1.2.3';
const chart = join(folder, 'chart');

beforeAll(() => {
  for (const { path, text } of chartFiles(acme, { version, command: 'a command' })) {
    mkdirSync(dirname(join(chart, path)), { recursive: true });
    writeFileSync(join(chart, path), text);
  }
});

const flag = fc.boolean();
const map = fc.constantFrom({}, { 'a.b/c': 'yes' });

const settings = fc.record({
  image: fc.record({
    repository: fc.constantFrom('registry.example.com/a', 'docker.io/library/acme-operator'),
    tag: fc.constantFrom('', '012', 'v1'),
    digest: fc.constantFrom('', `sha256:${'0'.repeat(64)}`),
    pullSecrets: fc.constantFrom([], [{ name: 'registry' }]),
  }),
  replicas: fc.integer({ min: 1, max: 9 }),
  watchNamespace: fc.constantFrom('', 'apps'),
  userRoles: fc.record({ enabled: flag }),
  logLevel: fc.constantFrom('debug', 'info'),
  env: fc.constantFrom([], [{ name: 'A', value: '{{ b }}' }]),
  nodeSelector: map,
  tolerations: fc.constantFrom([], [{ operator: 'Exists' }]),
  affinity: fc.constantFrom({}, { nodeAffinity: {} }),
  priorityClassName: fc.constantFrom('', 'system-cluster-critical'),
  podAnnotations: map,
  podDisruptionBudget: fc.record({ enabled: flag }),
  crds: fc.record({ enabled: flag, keep: flag }),
});

/** What the chart is to give, by the functions that it is made from. */
function objects(input: unknown): readonly Manifest[] {
  const values = definedSettings('docker.io/library/acme-operator').parse(input);
  const of = { ...acme, version };
  return [
    ...definitions(of, values, 'ops'),
    ...rights(of, values, 'ops'),
    ...rightsOfUsers(of, values),
    ...operator(of, values, 'ops'),
  ].map((object) => withAtomicDefaults(object));
}

const comparable = (found: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(JSON.stringify(found).replaceAll(/"(requests|limits)":null/g, '"$1":{}'));

test('the chart gives what the objects are rendered to, whatever the values are', async () => {
  const file = join(folder, 'values.json');
  await fc.assert(
    fc.asyncProperty(settings, async (input) => {
      writeFileSync(file, JSON.stringify(input));
      const printed = await helm('template', 'acme-operator', chart, '--namespace', 'ops', '--values', file);
      expect(comparable(byTitleIn(printed))).toEqual(comparable(byTitle(objects(input))));
    }),
    { numRuns: 30 },
  );
}, 300_000);

test('lint has nothing to complain of', async () => {
  expect(await helm('lint', '--strict', chart)).toContain('0 chart(s) failed');
});

test.for([
  [['--set', 'replica=3'], /additional properties 'replica' not allowed/],
  [['--set', 'fetcherImage=a'], /additional properties 'fetcherImage' not allowed/],
] as const)('Helm refuses %j', async ([args, message]) => {
  await expect(helm('template', 'acme-operator', chart, ...args)).rejects.toThrow(message);
});
