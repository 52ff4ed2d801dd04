import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR_NAMESPACE } from '../../../cli/options.ts';
import { adminClient, kubectl } from '../../cluster/support/client.ts';
import { testNamespace } from '../../cluster/support/namespace.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { Scenarios } from './scenarios.ts';
import { endPod, startPod } from './pod.ts';
import { reset } from './reset.ts';
import type { Way } from './ways.ts';

/** The tests of a way of installing: a file each, so that they run at the same time. */
export function describeInstalled(way: Way): void {
  const admin = adminClient();
  afterAll(() => admin.close());

  beforeEach(() => reset(admin));

  describe(`installed with ${way.name}`, { timeout: 300_000 }, () => {
    test('for a whole cluster, it runs all kinds under its own rights, and goes without them', async () => {
      await scenarios(OPERATOR_NAMESPACE, false, await testNamespace(admin));
    });

    test('for one namespace, too', async () => {
      const namespace = `team-${randomBytes(4).toString('hex')}`;
      await scenarios(namespace, true, namespace);
    });
  });

  async function scenarios(namespace: string, alone: boolean, workNamespace: string): Promise<void> {
    const where = { namespace, alone };
    await way.install(where);
    await admin.get(TYPES.deployment, { namespace, name: 'trunnion-operator' });
    const pod = await startPod(admin, namespace);
    const kinds = new Scenarios(admin, workNamespace);
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
}

/** What of the operator is there. */
async function left(namespace: string): Promise<string> {
  const selector = 'app.kubernetes.io/name=trunnion-operator';
  const namespaced = 'deployments,services,networkpolicies,poddisruptionbudgets,serviceaccounts,roles,rolebindings';
  const all = await kubectl('get', namespaced, '-n', namespace, '-l', selector, '-o', 'name');
  return all + (await kubectl('get', 'clusterroles,clusterrolebindings', '-l', selector, '-o', 'name'));
}
