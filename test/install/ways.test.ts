import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient, kubectl } from '../cluster/support/client.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { trunnion } from '../support/trunnion.ts';
import { chart, helm } from './support/helm.ts';
import { Lives } from './support/life.ts';
import { byTitle, byTitleIn, rendered } from './support/objects.ts';
import { endPod, startPod } from './support/pod.ts';
import { reset } from './support/reset.ts';
import { overlay, WAYS } from './support/ways.ts';

const admin = adminClient();
afterAll(() => admin.close());

beforeEach(() => reset(admin));

describe('the three ways give the same objects', () => {
  const settings = (watchNamespace: string) => ({ watchNamespace, crds: { keep: false } });
  const values = (namespace: string, watchNamespace: string) =>
    ['--namespace', namespace, '--set', `crds.keep=false,watchNamespace=${watchNamespace}`] as const;

  test('for a whole cluster', async () => {
    const expected = byTitle(rendered(settings('')));
    const { [`Namespace /${OPERATOR_NAMESPACE}`]: _, ...withoutNamespace } = expected;
    expect(byTitleIn(readFileSync(join(inject('install').dist, 'install.yaml'), 'utf8'))).toEqual(expected);
    expect(byTitleIn(await kubectl('kustomize', overlay({ namespace: OPERATOR_NAMESPACE, alone: false })))).toEqual(
      expected,
    );
    expect(byTitleIn(await helm('template', 'trunnion', chart(), ...values(OPERATOR_NAMESPACE, '')))).toEqual(
      withoutNamespace,
    );
  });

  test('for one namespace', async () => {
    const expected = byTitle(rendered(settings('models'), 'models'));
    const { [`Namespace /models`]: _, ...withoutNamespace } = expected;
    const flags = ['--namespace', 'models', '--watch-namespace', 'models'];
    expect(byTitleIn((await trunnion(['install', '--print', ...flags])).stdout)).toEqual(expected);
    expect(byTitleIn(await kubectl('kustomize', overlay({ namespace: 'models', alone: true })))).toEqual(expected);
    // Helm can't tell that this is its own namespace, so it is named.
    const printed = (await helm('template', 'trunnion', chart(), ...values('models', 'models')))
      .replace('"--namespace=models"', '--namespace=$(POD_NAMESPACE)')
      .replace(
        /\n {8}- namespaceSelector:\n.*\n.*metadata\.name: "models"\n {10}podSelector/,
        '\n        - podSelector',
      );
    expect(byTitleIn(printed)).toEqual(withoutNamespace);
  });
});

test('the kustomization of the docs gives another image to the operator and to the pods that fetch', async () => {
  const page = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8');
  const [, kustomization = ''] = /```yaml\n([^`]*kind: Kustomization[^`]*)```/.exec(page) ?? [];
  const folder = join(inject('install').dist, 'kustomize/of-docs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'kustomization.yaml'), kustomization.replace('dist/kustomize/cluster', '../cluster'));
  const objects = byTitleIn(await kubectl('kustomize', folder));
  const image = 'registry.example.com/trunnion-operator:0.1.0';
  expect(objects[`Deployment ${OPERATOR_NAMESPACE}/trunnion-operator`]).toHaveProperty(
    'spec.template.spec.containers',
    [
      expect.objectContaining({
        image,
        env: expect.arrayContaining([{ name: 'TRUNNION_FETCHER_IMAGE', value: image }]) as unknown,
      }),
    ],
  );
});

describe.each(WAYS)('installed with $name', { timeout: 300_000 }, (way) => {
  test('for a whole cluster, it runs all kinds under its own rights, and goes without them', async () => {
    await lives(OPERATOR_NAMESPACE, false, await testNamespace(admin));
  });

  test('for one namespace, too', async () => {
    const namespace = `team-${randomBytes(4).toString('hex')}`;
    await lives(namespace, true, namespace);
  });

  async function lives(namespace: string, alone: boolean, workNamespace: string): Promise<void> {
    const where = { namespace, alone };
    await way.install(where);
    await admin.get(TYPES.deployment, { namespace, name: 'trunnion-operator' });
    const pod = await startPod(admin, namespace);
    const kinds = new Lives(admin, workNamespace);
    await kinds.begin();
    const before = await kinds.workloads();
    expect(before).toEqual(expect.arrayContaining([expect.stringMatching(/^Deployment /)]));

    await endPod(pod);
    await way.uninstall(where);
    expect(await left(namespace)).toBe('');
    expect(await kinds.workloads()).toEqual(before);

    await way.install(where);
    await startPod(admin, namespace);
    await kinds.goOn();
    expect(await kinds.workloads()).toEqual(before);
    await kinds.end();
    await way.uninstall(where);
    if (alone) await admin.delete(TYPES.namespace, { name: namespace });
  }
});

/** What of the operator is there. */
async function left(namespace: string): Promise<string> {
  const selector = 'app.kubernetes.io/name=trunnion-operator';
  const namespaced = 'deployments,services,networkpolicies,poddisruptionbudgets,serviceaccounts,roles,rolebindings';
  const all = await kubectl('get', namespaced, '-n', namespace, '-l', selector, '-o', 'name');
  return all + (await kubectl('get', 'clusterroles,clusterrolebindings', '-l', selector, '-o', 'name'));
}
