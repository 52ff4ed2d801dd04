import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { clientOf } from '../../support/client.ts';
import { cluster } from './cluster.ts';

/** A client of this worker's control plane. */
export function clientWith(token: string, userAgent = 'test'): KubeClient {
  return clientOf({ ...cluster(), token }, userAgent);
}

/** A client that may do everything. */
export function adminClient(): KubeClient {
  return clientWith(cluster().token);
}

/** A token of a service account, valid for a day: what a pod of that account would have. */
export async function serviceAccountToken(admin: KubeClient, namespace: string, name: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 86_400 } };
  const answer = (await admin.raw('POST', path, { body })) as { readonly status: { readonly token: string } };
  return answer.status.token;
}

/**
 * Runs kubectl with the cluster's admin.
 *
 * @returns what it printed
 * @throws where it fails, with what it said in the message
 */
export async function kubectl(...args: string[]): Promise<string> {
  const { kubectl: binary, kubeconfig } = cluster();
  const { stdout } = await promisify(execFile)(binary, ['--kubeconfig', kubeconfig, ...args]);
  return stdout;
}
