import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apply } from '../../cli/kube/apply.ts';
import { build } from '../../cluster/build.ts';
import { kubeconfig } from '../../cluster/credentials.ts';
import type { Cluster } from '../../cluster/index.ts';
import { freePort } from '../../cluster/ports.ts';
import { start } from '../../cluster/process.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { eventually } from '../../test/cluster/support/eventually.ts';
import type { Led } from '../led.ts';
import { usageOf } from '../process.ts';
import { nameOf, objectsOf } from '../subjects.ts';

const NAME = 'careful';
const READY_MS = 60_000;

const OBJECTS = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAME } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: NAME, namespace: NAME } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: NAME },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: NAME, namespace: NAME }],
  },
];

/** The operator in Go that is beside this file: see main.go. What it makes is what the construct gives. */
export async function careful(
  cluster: Cluster,
  admin: KubeClient,
  log: (line: string) => void,
): Promise<Led & Disposable> {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-careful-'));
  await build({
    what: 'a careful operator in Go',
    takes: 'about 2 minutes on two cores',
    otherwise: 'leave out --beside',
    modules: import.meta.dirname,
    target: folder,
    tools: [{ name: NAME, package: '.' }],
    variables: {},
    log,
  });
  for (const object of OBJECTS) await apply(admin, object, NAME);
  const token = await cluster.serviceAccountToken(NAME, NAME);
  const [config, templates] = [join(folder, 'kubeconfig'), join(folder, 'templates.json')];
  writeFileSync(config, kubeconfig(cluster.url, cluster.ca, token), { mode: 0o600 });
  writeFileSync(templates, JSON.stringify(objectsOf(0, NAME)));
  const known = ['--kubeconfig', config, '--templates', templates, '--placeholder', nameOf(0)];
  return {
    user: `system:serviceaccount:${NAME}:${NAME}`,
    start: async (namespace) => {
      const probes = `127.0.0.1:${await freePort()}`;
      const args = [...known, '--namespace', namespace, '--probes', probes];
      const program = start(NAME, join(folder, NAME), args, join(folder, 'log'));
      return {
        ready: () => eventually(() => isReady(probes, () => program.lastWords()), { timeout: READY_MS }),
        usage: () => usageOf(program.pid),
        [Symbol.asyncDispose]: () => program.stop(5_000),
      };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function isReady(probes: string, words: () => string): Promise<void> {
  const { ok } = await fetch(`http://${probes}/readyz`);
  if (!ok) throw new Error(`the careful operator is not ready:\n${words()}`);
}
