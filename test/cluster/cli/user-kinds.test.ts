import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Manifest } from '../../../constructs/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { trunnion } from '../../support/trunnion.ts';
import { adminClient, kubectl } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { manifestsIn } from './support/handover.ts';

const admin = adminClient();
const MODULE = 'test/unit/cli/user-kinds/support/web-app.ts';

let namespace = '';

const type = { group: 'acme.dev', version: 'v1', kind: 'WebApp', plural: 'webapps' };
const hello = (spec: object = {}) => ({
  apiVersion: 'acme.dev/v1',
  kind: 'WebApp',
  metadata: { name: 'hello', namespace },
  spec: { image: 'hello:1', replicas: 1, ...spec },
});

/** Runs a command that knows the kind. */
const typed = (resource: object | undefined, ...args: string[]) =>
  trunnion(
    [...args, ...(resource === undefined ? [] : ['-f', '-']), '--kinds', MODULE, '--kubeconfig', cluster().kubeconfig],
    resource === undefined ? '' : stringify(resource),
  );

/** What the construct makes, without an operator. */
async function rendered(): Promise<readonly Manifest[]> {
  const { stdout } = await trunnion(['render', '-f', '-', '--kinds', MODULE], stringify(hello()));
  return manifestsIn(stdout);
}

beforeAll(async () => {
  const { stdout } = await trunnion(['kind', 'crd', MODULE]);
  const crd = parse(stdout) as Manifest;
  await admin.apply(TYPES.customResourceDefinition, crd, { fieldManager: 'test', force: true });
  await eventually(() => admin.list(type, { namespace: 'default' }));
});

beforeEach(async () => {
  namespace = await testNamespace(admin);
});

describe('of a kind of the user', () => {
  test('plan tells what a new resource comes to', async () => {
    const { code, stdout } = await typed(hello(), 'plan', '-o', 'json');
    expect(code).toBe(0);
    const [plan] = JSON.parse(stdout) as [{ now: { action: string; object: string }[]; resource: string }];
    expect(plan.resource).toBe(`WebApp ${namespace}/hello`);
    expect(plan.now.map(({ action, object }) => `${action} ${object}`).toSorted()).toEqual([
      'create Deployment hello',
      'create Service hello',
    ]);
  });

  test('status shows a resource that no operator has looked at, by each of its names', async () => {
    await admin.apply(type, hello(), { fieldManager: 'test', force: true });
    for (const reference of ['hello', 'webapp/hello', 'wa/hello', 'webapps/hello']) {
      const { code, stdout } = await typed(undefined, 'status', reference, '-n', namespace);
      expect(code).toBe(0);
      expect(stdout).toContain("No operator has looked at it as it is now. If that stays so: read the operator's log");
      expect(stdout).toMatch(/Deployment hello +is not there/);
    }
    const { stdout } = await typed(undefined, 'status', '-n', namespace);
    expect(stdout).toMatch(/webapp\/hello/);
  });

  describe('adopt', () => {
    test('takes over what the same construct made in another host', async () => {
      for (const manifest of await rendered()) {
        const typeOf = manifest.kind === 'Service' ? TYPES.service : TYPES.deployment;
        const body = { ...manifest, metadata: { ...manifest.metadata, namespace } };
        await admin.apply(typeOf, body, { fieldManager: 'kubectl', force: true });
      }
      await eventually(async () => {
        const { items } = await admin.list(TYPES.pod, { namespace });
        expect(items).toHaveLength(1);
      });
      // Its operator finds pods by labels that the construct does not put on them.
      const refused = await typed(hello(), 'adopt', '--yes', '--no-wait');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/pods would restart: hello-\S+\. .*--allow-restart/);

      const adopted = await typed(hello(), 'adopt', '--yes', '--no-wait', '--allow-restart');
      expect(adopted).toMatchObject({ code: 0 });
      const [deployment, resource] = [
        await admin.get(TYPES.deployment, { namespace, name: 'hello' }),
        await admin.get(type, { namespace, name: 'hello' }),
      ];
      expect(deployment.metadata).toMatchObject({
        labels: {
          'app.kubernetes.io/managed-by': 'acme-operator',
          'acme.dev/name': 'hello',
          'acme.dev/kind': 'webapp',
        },
        ownerReferences: [{ kind: 'WebApp', uid: resource.metadata.uid, controller: true }],
      });
      const managers = (deployment.metadata.managedFields ?? []).map(({ manager }) => manager);
      expect(managers).toContain('acme-operator');
      expect(managers).not.toContain('kubectl');
      expect(resource.metadata.annotations ?? {}).not.toHaveProperty(['acme.dev/paused']);
      expect((await typed(hello(), 'plan')).stdout).toContain('Nothing to do.');
    });

    test('leaves alone what was made for somebody else, and says how it is told apart', async () => {
      await kubectl('create', 'service', 'clusterip', 'hello', '--tcp=80', '-n', namespace);
      const { code, stderr } = await typed(hello(), 'adopt', '--yes', '--no-wait');
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /Service hello: exists and was not made for this workload.*label it acme\.dev\/kind=webapp/,
      );
    });
  });
});
