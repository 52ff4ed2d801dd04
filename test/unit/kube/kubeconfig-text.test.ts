import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../operator/kube/index.ts';
import { kubeconfigJson } from '../../../operator/kube/client/kubeconfig-text.ts';

const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: n
contexts: [{name: n, context: &context {cluster: 0400, user: yes, namespace: 1_000}}, {name: other, context: {<<: *context}}]
clusters: [{name: 0400, cluster: {server: "https://127.0.0.1:6443", insecure-skip-tls-verify: no}}]
users: [{name: yes, user: {token: 12345}}]
`;

test('names and tokens are text, and flags are flags, as client-go reads them', () => {
  expect(JSON.parse(kubeconfigJson(KUBECONFIG))).toMatchObject({
    'current-context': 'false',
    contexts: [
      { name: 'false', context: { cluster: '256', user: 'true', namespace: '1000' } },
      { name: 'other', context: { cluster: '256', user: 'true', namespace: '1000' } },
    ],
    clusters: [{ name: '256', cluster: { 'insecure-skip-tls-verify': false } }],
    users: [{ name: 'true', user: { token: '12345' } }],
  });
});

test('a kubeconfig in YAML 1.1 is connected by', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-kubeconfig-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'config');
  writeFileSync(path, KUBECONFIG);
  expect(await connect({ from: 'kubeconfig', path }).current()).toMatchObject({
    url: 'https://127.0.0.1:6443',
    authorization: 'Bearer 12345',
    namespace: '1000',
  });
});
