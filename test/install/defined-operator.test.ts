import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient, kubectl } from '../cluster/support/client.ts';
import { cluster } from '../cluster/support/cluster.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { trunnion } from '../support/trunnion.ts';
import { startInstalledProgram } from '../cluster/support/installed-program.ts';
import { helm } from '../support/helm.ts';

const admin = adminClient();
const folder = mkdtempSync(join(tmpdir(), 'trunnion-acme-'));
const chart = join(folder, 'chart');
const program = resolve('test/install/support/acme-operator.ts');
const type = { group: 'acme.dev', version: 'v1', kind: 'WebApp', plural: 'webapps' };

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await admin.close();
});

beforeAll(async () => {
  expect(await trunnion(['kind', 'chart', program, '--out', chart])).toMatchObject({ code: 0 });
});

/** Has a resource made, changed and deleted. */
async function lifeIn(namespace: string): Promise<void> {
  const apply = (replicas: number) =>
    admin.apply(
      type,
      {
        apiVersion: 'acme.dev/v1',
        kind: 'WebApp',
        metadata: { name: 'hello', namespace },
        spec: { image: 'hello:1', replicas },
      },
      { fieldManager: 'test', force: true },
    );
  const isReady = (replicas: number) =>
    eventually(async () => {
      const { status } = (await admin.get(type, { namespace, name: 'hello' })) as {
        status?: { observedGeneration?: number; conditions?: { type: string; status: string }[] };
      };
      expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
      const { items } = await admin.list(TYPES.pod, { namespace });
      expect(items).toHaveLength(replicas);
    });
  await apply(1);
  await isReady(1);
  await apply(2);
  await isReady(2);
  await admin.delete(type, { namespace, name: 'hello' });
  // The garbage collector learns of a new kind within half a minute.
  await eventually(
    async () => expect(await admin.find(TYPES.deployment, { namespace, name: 'hello' })).toBeUndefined(),
    { timeout: 90_000 },
  );
}

test.for([
  ['for a whole cluster', false],
  ['for one namespace', true],
] as const)(
  'an operator of a user that its chart installs %s runs its kind under its own rights',
  async ([, alone]) => {
    const [home, work] = [await testNamespace(admin), await testNamespace(admin)];
    const where = ['--namespace', home, '--kubeconfig', cluster().kubeconfig];
    // The first installation has left the CRD, which is of that release.
    const values = alone ? ['--set', `watchNamespace=${work}`, '--set', 'crds.enabled=false'] : [];
    await helm('install', 'acme-operator', chart, ...where, ...values);
    await eventually(() => admin.list(type, { namespace: work }));
    const pod = await startInstalledProgram(admin, { namespace: home, name: 'acme-operator', program });
    await lifeIn(work);
    const seen = await trunnion(['status', '--kinds', program, '-n', work, '--kubeconfig', cluster().kubeconfig]);
    expect(seen.code).toBe(0);

    pod.kill('SIGTERM');
    expect(await once(pod, 'exit')).toEqual([0, null]);
    await helm('uninstall', 'acme-operator', ...where);
    expect(await kubectl('get', 'clusterroles,clusterrolebindings', '-l', 'app.kubernetes.io/name=acme-operator')).toBe(
      '',
    );
    // It keeps the CRD, and with it the resources of others.
    await admin.get(TYPES.customResourceDefinition, { name: 'webapps.acme.dev' });
  },
);
