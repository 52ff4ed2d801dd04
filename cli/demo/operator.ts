import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, start } from '../../cluster/process.ts';
import { connect, type Connection, type KubeClient } from '../../operator/kube/index.ts';
import { OPERATOR_NAME } from '../../operator/rbac.ts';
import { printYaml } from '../../yaml/print.ts';
import { entryPoint } from '../entry-point.ts';
import type { Cleanup } from './cleanup.ts';
import type { Place } from './place.ts';

/** What the operator may take to end in good order. */
const GRACE_MILLISECONDS = 10_000;

/** For as long as a token of the demo is good. */
const TOKEN_SECONDS = 3_600;

/**
 * Runs the operator in a process of its own, with the rights that `trunnion install` gives and no others: those of the
 * person who runs the demo would hide a right that is missing.
 */
export async function startOperator(
  client: KubeClient,
  { settings, simulated }: Place,
  namespace: string,
  cleanup: Cleanup,
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'trunnion-demo-'));
  cleanup.add(`delete ${folder}`, () => rm(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  const token = await tokenOf(client, namespace);
  await writeFile(kubeconfig, kubeconfigWith(await connect(settings).current(), token), { mode: 0o600 });

  const args = ['operator', '--kubeconfig', kubeconfig, '--namespace', namespace, '--port', '0', '--no-leader-elect'];
  const operator = start(
    'operator',
    process.execPath,
    [entryPoint(), ...args, ...(simulated ? ['--simulated-pods'] : [])],
    join(folder, 'operator.log'),
  );
  cleanup.add('stop the operator', () => operator.stop(GRACE_MILLISECONDS));
  return operator;
}

async function tokenOf(client: KubeClient, namespace: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${OPERATOR_NAME}/token`;
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: TOKEN_SECONDS },
  };
  const { status } = (await client.raw('POST', path, { body })) as { readonly status: { readonly token: string } };
  return status.token;
}

/** A kubeconfig for the same API server and another user. */
function kubeconfigWith({ url, ca, serverName }: Connection, token: string): string {
  const cluster = {
    server: url,
    ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
  };
  return printYaml({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'demo',
    contexts: [{ name: 'demo', context: { cluster: 'demo', user: 'demo' } }],
    clusters: [{ name: 'demo', cluster }],
    users: [{ name: 'demo', user: { token } }],
  });
}
