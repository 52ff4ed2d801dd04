import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HOSTILE, unseenIn } from '../../support/hostile-text.ts';
import { trunnion } from '../../support/trunnion.ts';
import { FakeApiServer, json, type Reply, status } from '../kube/support/fake-api-server.ts';
import { live, pod, READY_POD } from './support/objects.ts';

const WORDS = Object.values(HOSTILE).join(' ');

/** A kubeconfig for a server that answers by path, and says hostile things of whatever else it is asked. */
async function kubeconfigFor(answers: Readonly<Record<string, Reply>>): Promise<string> {
  const refusal = status(400, { reason: WORDS, message: WORDS, details: { causes: [{ message: WORDS }] } });
  const answer: Reply = (response, request) => (answers[request.path] ?? refusal)(response, request);
  const server = await FakeApiServer.start({ list: [answer], other: [answer] });
  const ca = Buffer.from(server.certificate.cert).toString('base64');
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a', namespace: 'models' } }],
    clusters: [{ name: 'a', cluster: { server: server.url, 'certificate-authority-data': ca } }],
    users: [{ name: 'a', user: { token: 't' } }],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

const items = (...found: readonly object[]): Reply =>
  json({ kind: 'List', metadata: { resourceVersion: '1' }, items: found });

const OURS = '/apis/trunnion.dev/v1alpha1/namespaces/models';
const labels = { 'app.kubernetes.io/name': 'model-serving', 'app.kubernetes.io/instance': 'llama' };

test('a pod that logs hostile text has it printed as plain text, unless that is asked for as it is', async () => {
  const log = `2026-01-01T00:00:00.000000000Z ${WORDS.replaceAll('\n', ' ')}\n2026-01-01T00:00:01Z \u001B[1;36mINFO\u001B[0m\tready\r\n`;
  const resource = { ...live('trunnion.dev/v1alpha1', 'ModelServing', 'llama'), spec: {} };
  const kubeconfig = await kubeconfigFor({
    [`${OURS}/modelservings/llama`]: json(resource),
    '/api/v1/namespaces/models/pods': items(pod('llama-a', READY_POD, { metadata: { labels } })),
    '/api/v1/namespaces/models/pods/llama-a/log': (response) => response.end(log),
  });
  const args = ['logs', 'modelserving/llama', '-n', 'models', '--kubeconfig', kubeconfig];
  const { code, stdout, stderr } = await trunnion(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(unseenIn(stdout)).toEqual([]);
  const lines = stdout.split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^llama-a │ ␛\]52;c;/);
  expect(lines[1]).toBe('llama-a │ INFO\tready');

  const raw = await trunnion([...args, '--raw']);
  expect(raw.stdout).toContain('\u001B]52;c;');
  expect(raw.stdout).toContain('llama-a │ \u001B[1;36mINFO\u001B[0m\tready\r\n');
});

test('a log that is refused in hostile words is reported in plain text', async () => {
  const resource = { ...live('trunnion.dev/v1alpha1', 'ModelServing', 'llama'), spec: {} };
  const kubeconfig = await kubeconfigFor({
    [`${OURS}/modelservings/llama`]: json(resource),
    '/api/v1/namespaces/models/pods': items(pod('llama-a', READY_POD, { metadata: { labels } })),
  });
  const { stdout, stderr } = await trunnion(['logs', 'modelserving/llama', '-n', 'models', '--kubeconfig', kubeconfig]);
  expect(stderr).toMatch(/^llama-a: ␛\]52;c;/);
  expect(unseenIn(stdout + stderr)).toEqual([]);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test.each([['status', 'llama'], ['doctor'], ['plan', '-f', 'examples/model-serving.yaml']])(
  'a server that refuses everything in hostile words has them told in plain text by %s',
  async (...args) => {
    const kubeconfig = await kubeconfigFor({});
    const { stdout, stderr } = await trunnion([...args, '--kubeconfig', kubeconfig]);
    expect(unseenIn(stdout + stderr)).toEqual([]);
    expect(`${stdout}${stderr}`.split('\n').filter((line) => /^✓ (GPUs|Storage)$/.test(line))).toEqual([]);
  },
);

test('a kubeconfig with hostile text in it is reported in plain text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'kubeconfig');
  const contexts = [{ name: WORDS, context: { cluster: 'a', user: 'a' } }];
  for (const text of [
    WORDS,
    JSON.stringify({ apiVersion: 'v1', kind: 'Config', contexts, 'current-context': WORDS }),
  ]) {
    writeFileSync(file, text);
    const { code, stdout, stderr } = await trunnion(['status', '--kubeconfig', file]);
    expect(code).toBe(1);
    expect(unseenIn(stdout + stderr)).toEqual([]);
    expect(stderr.split('\n').filter((line) => line.startsWith('✓'))).toEqual([]);
  }
});
