import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { isNotFound } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { deleteNamespace } from '../../support/namespace.ts';
import { eventually } from './eventually.ts';

/**
 * A namespace for this test alone, which goes when the test ends. Pods can be made in it at once.
 *
 * @param labels - such as `pod-security.kubernetes.io/enforce: restricted`
 */
export async function testNamespace(admin: KubeClient, labels: Readonly<Record<string, string>> = {}): Promise<string> {
  const name = `test-${randomBytes(4).toString('hex')}`;
  await admin.create(TYPES.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  // Its objects go in the background: nobody waits, since no other test gets this name.
  onTestFinished(async () => {
    await admin.delete(TYPES.namespace, { name });
    await letGoOfPolicies(admin, name);
  });
  await eventually(() => admin.get(TYPES.serviceAccount, { namespace: name, name: 'default' }));
  return name;
}

/** The operator of a test has ended by now, and its policies would keep the namespace forever. */
export async function letGoOfPolicies(admin: KubeClient, namespace: string): Promise<void> {
  for (const { metadata } of (await admin.list(TYPES.networkPolicy, { namespace })).items) {
    if (metadata.finalizers === undefined) continue;
    const body = { metadata: { finalizers: null } };
    await admin.patch(TYPES.networkPolicy, metadata, body).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

/** A namespace by the name that a file gives, for one test; it is gone before the next one. */
export async function namedNamespace(
  admin: KubeClient,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<void> {
  await admin.create(TYPES.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  onTestFinished(async () => {
    await deleteNamespace(admin, name);
    await eventually(
      async () => {
        await letGoOfPolicies(admin, name);
        if ((await admin.find(TYPES.namespace, { name })) !== undefined) throw new Error(`${name} is still there`);
      },
      { timeout: 60_000 },
    );
  });
  await eventually(() => admin.get(TYPES.serviceAccount, { namespace: name, name: 'default' }));
}
