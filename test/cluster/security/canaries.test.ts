import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import pino from 'pino';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { filesOf } from '../../../cluster/components.ts';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { FaultProxy } from '../../../testing/faults/proxy/proxy.ts';
import { trunnion } from '../../support/trunnion.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { modelServingType, ServingUnderTest, servingSpec } from '../support/serving.ts';
import { kinds } from '../../../compat/kinds/index.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** A value that nothing else has. */
const canary = (): string => `canary-${randomBytes(12).toString('hex')}`;

/** In which forms a value may have got out. */
const formsOf = (value: string): readonly string[] => [
  value,
  Buffer.from(value).toString('base64').replace(/.?=*$/, ''),
  Buffer.from(value).toString('hex'),
  value.slice(0, 16),
];

/** A token of a ServiceAccount. */
const TOKEN = /eyJ[\w-]{10,}\.eyJ/;

/** What the operator logs, at all levels. */
function logger() {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  return { log, lines };
}

it('what is in a Secret is in no log, event, status, metric, probe, child, plan or rendering, no matter what fails', async () => {
  const namespace = await testNamespace(admin);
  const values = {
    fetch: canary(),
    variable: canary(),
    pull: canary(),
    file: canary(),
    later: canary(),
    fault: canary(),
  };
  const secret = (name: string, stringData: Readonly<Record<string, string>>, type = 'Opaque') =>
    admin.apply(
      TYPES.secret,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type, stringData },
      { fieldManager: 'test', force: true },
    );
  await secret('fetch', { AWS_SECRET_ACCESS_KEY: values.fetch, [`k-${values.file}`]: 'a' });
  await secret('variable', { token: values.variable });
  const auth = { auths: { 'registry.example.com': { username: 'a', password: values.pull } } };
  await secret('pull', { '.dockerconfigjson': JSON.stringify(auth) }, 'kubernetes.io/dockerconfigjson');
  await secret('file', { key: values.file });

  const { url, ca, kubeconfig } = cluster();
  const key = await readFile(filesOf(dirname(kubeconfig)).servingKey, 'utf8');
  const proxy = await FaultProxy.start({ upstream: { url, ca }, tls: { cert: ca, key } });
  onTestFinished(() => proxy.stop());
  const on = { verb: 'get', resource: 'secrets' } as const;
  const spilled = `{"kind": "Secret", "data": {"key": ${values.fault}}}`;
  for (const status of [200, 500, 404]) proxy.rules.add({ on, fault: { do: 'answer', status, body: spilled } });

  const { log, lines } = logger();
  const first = await startOperator(admin, namespace, { log });
  const serving = new ServingUnderTest(admin, namespace);
  const spec: ModelServingSpecInput = {
    ...servingSpec,
    model: { ...servingSpec.model, credentials: { secretName: 'fetch' } },
    env: [
      { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'variable', key: 'token' } } },
      { name: 'MISSING', valueFrom: { secretKeyRef: { name: 'variable', key: 'missing' } } },
    ],
    imagePullSecrets: [{ name: 'pull' }],
    podTemplate: { spec: { volumes: [{ name: 'file', secret: { secretName: 'file' } }] } },
    expose: { ingress: { host: 'llama.example.com', tlsSecretName: 'file' } },
  };
  await serving.apply(spec);
  await serving.reaches('Running', 90_000);
  await eventually(async () => expect(JSON.stringify((await serving.get()).status?.references)).toContain('variable'));
  const reported: string[] = [];
  const listen = async (port: number): Promise<void> => {
    for (const path of ['healthz', 'readyz', 'metrics', 'secrets', 'debug/pprof']) {
      reported.push(await (await fetch(`http://127.0.0.1:${port}/${path}`)).text());
    }
  };
  await listen(first.port);
  await first.stop();

  // Answers about Secrets that are broken, with what they hold inside.
  const broken = await startOperator(admin, namespace, { url: proxy.url, log });
  await eventually(() =>
    expect(proxy.log.filter(({ exchange }) => exchange.resource === 'secrets').length).toBeGreaterThan(2),
  );
  await listen(broken.port);
  await broken.stop();

  // A change of a Secret is noticed, and what is refused is told.
  await secret('variable', { token: values.later, missing: values.later });
  const second = await startOperator(admin, namespace, { log });
  await eventually(async () => expect(JSON.stringify((await serving.get()).status?.references)).toContain('current'));
  await serving.apply({ ...spec, resources: { ...servingSpec.resources, gpu: 64 } });
  await serving.shows(({ status }) => expect(status?.phase).toBe('Updating'));
  await listen(second.port);
  const resource = {
    apiVersion: 'trunnion.dev/v1alpha1',
    kind: 'ModelServing',
    metadata: { name: 'llama', namespace },
    spec,
  };
  const at = ['--kubeconfig', kubeconfig];
  const plan = await trunnion(['plan', '-f', '-', ...at], stringify(resource));
  const rendering = await trunnion(['render', '-f', '-'], stringify(resource));
  expect([plan.code, rendering.code]).toEqual([0, 0]);
  await second.stop();

  const objects: KubeObject[] = [];
  // What is optional is not installed here.
  const childTypes = kinds.flatMap((kind) => kind.childTypes.filter(({ optional }) => optional !== true));
  for (const type of [modelServingType, TYPES.coreEvent, TYPES.pod, ...childTypes]) {
    objects.push(...(await admin.list(type, { namespace })).items);
  }
  expect(lines.length).toBeGreaterThan(5);
  expect(objects.length).toBeGreaterThan(10);
  const places = { lines, reported, plan, rendering, objects: objects.filter(({ kind }) => kind !== 'Secret') };
  for (const [place, content] of Object.entries(places)) {
    const text = JSON.stringify(content);
    for (const [name, value] of Object.entries(values)) {
      for (const form of formsOf(value)) expect(text.includes(form), `${name} in ${place}`).toBe(false);
    }
    expect(TOKEN.test(text), `a token in ${place}`).toBe(false);
  }
});
