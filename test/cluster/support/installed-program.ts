import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { kubeconfig } from '../../../cluster/credentials.ts';
import { freePort } from '../../../cluster/ports.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { serviceAccountToken } from './client.ts';
import { cluster } from './cluster.ts';
import { eventually } from './eventually.ts';

interface PodSpec {
  readonly serviceAccountName: string;
  readonly containers: readonly {
    readonly env: readonly { readonly name: string; readonly value?: string }[];
    readonly readinessProbe: { readonly httpGet: { readonly path: string } };
  }[];
}

/** Where the Deployment of an operator is, and what it runs. */
interface Installed {
  readonly namespace: string;
  readonly name: string;
  /** The file that its image would run. */
  readonly program: string;
}

/**
 * Runs what a pod of an installed operator would run, since pods are simulated here: its program with the variables of its
 * Deployment, as its ServiceAccount.
 *
 * @returns once it is ready, as its probe has it
 */
export async function startInstalledProgram(
  admin: KubeClient,
  { namespace, name, program }: Installed,
): Promise<ChildProcess> {
  const deployment = await admin.get(TYPES.deployment, { namespace, name });
  const { template } = deployment['spec'] as { readonly template: { readonly spec: PodSpec } };
  const { serviceAccountName, containers } = template.spec;
  const [{ env, readinessProbe } = { env: [], readinessProbe: { httpGet: { path: '' } } }] = containers;
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-pod-'));
  const { url, ca } = cluster();
  const token = await serviceAccountToken(admin, namespace, serviceAccountName);
  writeFileSync(join(folder, 'kubeconfig'), kubeconfig(url, ca, token));
  const port = await freePort();
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...Object.fromEntries(env.map(({ name, value = namespace }) => [name, value])),
      KUBECONFIG: join(folder, 'kubeconfig'),
      PORT: String(port),
    },
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  await eventually(
    async () => {
      const { ok } = await fetch(`http://127.0.0.1:${port}${readinessProbe.httpGet.path}`);
      if (!ok) throw new Error('it is not ready');
    },
    { timeout: 60_000 },
  );
  return child;
}
