import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { valuesOf } from '../../stacks/operator/chart/values.ts';
import { parseSettings, settingsSchema, type SettingsInput } from '../../stacks/operator/settings.ts';
import { run } from '../support/run.ts';
import { helm } from '../support/helm.ts';
import { chart } from './support/chart.ts';
import { byTitle, byTitleIn, rendered } from './support/objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-values-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Text that templates, printf and YAML might each read as their own. */
const text = fc.constantFrom(
  'a',
  'yes',
  '1',
  '{{ .Values }}',
  '100%',
  '%s',
  'a: b # c',
  '"quoted"',
  "it's",
  '\\n',
  '- x',
);
const map = fc.dictionary(fc.constantFrom('example.com/a', 'b'), text, { maxKeys: 2 });
const items = fc.array(fc.record({ name: fc.constantFrom('A', 'B'), value: text }), { maxLength: 2 });
const flag = fc.boolean();

const settings: fc.Arbitrary<SettingsInput> = fc.record({
  image: fc.record({
    repository: fc.constantFrom('docker.io/library/trunnion-operator', 'registry.example.com:5000/a/b'),
    tag: fc.constantFrom('', 'main'),
    digest: fc.constantFrom('', `sha256:${'0f'.repeat(32)}`),
    pullPolicy: fc.constantFrom('Always' as const, 'Never' as const),
    pullSecrets: fc.constantFrom([], [{ name: 'pull' }]),
  }),
  replicas: fc.integer({ min: 1, max: 9 }),
  watchNamespace: fc.constantFrom('', 'models'),
  compat: flag,
  allowedAnnotations: fc.record({
    ingress: fc.constantFrom(['+default'], ['+none'], ['*']),
    serviceAccount: fc.constantFrom(['+default'], ['+default', 'example.com/*']),
    pod: fc.constantFrom(['+default'], ['example.com/a', 'yes', '+default']),
  }),
  logLevel: fc.constantFrom('debug' as const, 'warn' as const),
  fetcherImage: fc.constantFrom('', 'none', 'registry.example.com/trunnion-operator:0.1.0'),
  env: items,
  resources: fc.record({
    requests: fc.constantFrom({}, { cpu: '', memory: '' }, { cpu: '1', memory: '1Gi' }),
    limits: fc.constantFrom({ memory: '' }, { cpu: '2' }),
  }),
  nodeSelector: map,
  tolerations: fc.constantFrom([], [{ operator: 'Exists' }]),
  affinity: fc.constantFrom({}, { podAntiAffinity: { a: [{ b: 1 }] } }),
  priorityClassName: fc.constantFrom('', 'system-cluster-critical'),
  podAnnotations: map,
  podDisruptionBudget: fc.record({ enabled: flag }),
  apiServer: fc.record({ port: fc.constantFrom(0, 16443) }),
  networkPolicy: fc.record({ enabled: flag, egress: fc.constantFrom([], [{ ports: [{ port: 4317 }] }]) }),
  monitoring: fc.record({
    serviceMonitor: flag,
    podMonitor: flag,
    engines: flag,
    alerts: flag,
    dashboards: flag,
    interval: fc.constantFrom('30s', '1m'),
    labels: map,
    dashboardLabels: map,
  }),
  // Most runs leave these out, since they are large.
  crds: fc.record({ enabled: fc.constantFrom(true, false, false, false), keep: flag }),
});

const isNamespace = (title: string) => title.startsWith('Namespace ');

/** What is empty means the same as what isn't there in the one place where it may be: resources. */
const withoutEmptyResources = (json: string): unknown =>
  JSON.parse(json.replaceAll(/"(requests|limits)":null/g, '"$1":{}')) as unknown;

const comparable = (objects: Readonly<Record<string, unknown>>): unknown =>
  withoutEmptyResources(
    JSON.stringify(Object.fromEntries(Object.entries(objects).filter(([title]) => !isNamespace(title)))),
  );

test('the chart gives what the construct renders, whatever the values are', async () => {
  const file = join(folder, 'values.json');
  await fc.assert(
    fc.asyncProperty(settings, async (input) => {
      writeFileSync(file, JSON.stringify(input));
      const printed = await helm('template', 'trunnion', chart(), '--namespace', 'trunnion-system', '--values', file);
      expect(comparable(byTitleIn(printed))).toEqual(comparable(byTitle(rendered(input))));
    }),
    { numRuns: 50 },
  );
}, 300_000);

test('lint has nothing to complain of', async () => {
  expect(await helm('lint', '--strict', chart())).toContain('0 chart(s) failed');
});

test('every value is described, and the defaults are those of the construct', () => {
  expect(valuesOf(settingsSchema).filter(({ description }) => description === '')).toEqual([]);
  expect(parse(readFileSync(join(chart(), 'values.yaml'), 'utf8'))).toEqual(parseSettings({}));
});

test.for([
  [['--set', 'replica=3'], /additional properties 'replica' not allowed/],
  [['--set', 'replicas=0'], /replicas.*minimum/],
  [['--set', 'image.pullPolicy=Sometimes'], /pullPolicy.*one of/],
  [['--set', 'image.digest=latest'], /digest.*pattern/],
  [['--set-json', 'allowedAnnotations.pod=[]'], /allowedAnnotations.pod.*minItems/],
] as const)('Helm refuses %j', async ([args, message]) => {
  await expect(helm('template', 'trunnion', chart(), ...args)).rejects.toThrow(message);
});

test('as a part of another chart it takes what is given to all', async () => {
  expect(await helm('template', 'trunnion', chart(), '--set', 'global.team=a')).toContain('kind: Deployment');
});

test('it can be packaged', async () => {
  await helm('package', chart(), '--destination', folder);
  const { stdout } = await run('tar', ['-tzf', join(folder, 'trunnion-0.1.0.tgz')]);
  expect(stdout).toContain('trunnion/values.schema.json');
});

test('the README of the chart has every value', () => {
  const readme = readFileSync(join(inject('install').dist, 'charts/trunnion/README.md'), 'utf8');
  for (const { path } of valuesOf(settingsSchema)) expect(readme).toContain(`\`${path.join('.')}\``);
});
