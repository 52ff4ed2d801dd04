import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Manifest } from '../../constructs/workload.ts';
import { adminClient, kubectl } from '../cluster/support/client.ts';
import { cluster } from '../cluster/support/cluster.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { startInstalledProgram } from '../cluster/support/installed-program.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { helm } from '../support/helm.ts';
import { makeImageFolder, makeNewProject } from '../support/new-project.ts';
import { npm } from '../support/npm.ts';
import { packBoth, projectWith } from '../support/packages.ts';

const admin = adminClient();
const folder = mkdtempSync(join(tmpdir(), 'trunnion-new-'));
const [project, image] = [join(folder, 'game-operator'), join(folder, 'image')];

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await admin.close();
});

beforeAll(async () => {
  const tarballs = await packBoth(folder);
  await makeNewProject(project, await projectWith(Object.values(tarballs), folder), tarballs);
  await makeImageFolder(image, project);
});

const TYPE = { group: 'games.example.com', version: 'v1alpha1', kind: 'GameServer', plural: 'gameservers' };

interface Status {
  readonly url?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

test('a new project runs its kind under the rights of its own chart, and nothing in the cluster names what it is built with', async () => {
  const [home, work] = [await testNamespace(admin), await testNamespace(admin)];
  await npm(['run', 'chart'], project);
  const where = ['--namespace', home, '--kubeconfig', cluster().kubeconfig];
  await helm('install', 'games-operator', join(project, 'chart'), ...where);
  await eventually(() => admin.list(TYPE, { namespace: work }));

  const began = performance.now();
  const pod = await startInstalledProgram(admin, {
    namespace: home,
    name: 'games-operator',
    program: join(image, 'src/operator.ts'),
  });
  console.log(`it was ready after ${Math.round(performance.now() - began)} ms`);
  const example = parse(readFileSync(join(project, 'example.yaml'), 'utf8')) as Manifest;
  const body = { ...example, metadata: { ...example.metadata, namespace: work } };
  await admin.apply(TYPE, body, { fieldManager: 'test' });
  await eventually(async () => {
    const { status } = (await admin.get(TYPE, { namespace: work, name: 'hello' })) as { status?: Status };
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
    expect(status?.url).toBe(`http://hello.${work}`);
  });

  const objects = await Promise.all([
    kubectl('get', 'gameservers,deployments,services,pods', '-n', work, '-o', 'yaml', '--show-managed-fields'),
    kubectl('get', 'all,leases,serviceaccounts,roles,rolebindings', '-n', home, '-o', 'yaml', '--show-managed-fields'),
    kubectl('get', 'crd', 'gameservers.games.example.com', '-o', 'yaml', '--show-managed-fields'),
    helm('template', 'games-operator', join(project, 'chart'), ...where),
  ]);
  for (const text of objects) expect(text).not.toMatch(/trunnion/i);

  pod.kill('SIGTERM');
  expect(await once(pod, 'exit')).toEqual([0, null]);
  await helm('uninstall', 'games-operator', ...where);
});
