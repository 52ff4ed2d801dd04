import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { allKinds } from '../../../compat/kinds/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { isNotFound } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { ResourceType } from '../../../operator/kube/client/types.ts';
import { deleteNamespace, emptyNamespace, objectsIn } from '../../support/namespace.ts';
import { GADGET, WIDGET } from '../../support/widget.ts';
import { eventually } from './eventually.ts';

/** What an operator leads. */
const LED: readonly ResourceType[] = [...allKinds.map(({ type }) => type), WIDGET, GADGET];

/** What makes pods, and what takes room on a node. */
const BUSY: readonly ResourceType[] = [
  TYPES.scaledObject,
  TYPES.podGroup,
  TYPES.deployment,
  TYPES.replicaSet,
  TYPES.job,
  TYPES.pod,
  TYPES.persistentVolumeClaim,
];

/**
 * A namespace for this test alone, which is empty when the test ends: no other test gets it. Pods can be made in it at once.
 *
 * @param labels - such as `pod-security.kubernetes.io/enforce: restricted`
 */
export async function testNamespace(admin: KubeClient, labels: Readonly<Record<string, string>> = {}): Promise<string> {
  const name = `test-${randomBytes(4).toString('hex')}`;
  await admin.create(TYPES.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  onTestFinished(async () => {
    // The operator of the test has ended by now, and would keep them forever.
    for (const type of [TYPES.networkPolicy, ...LED]) await removeFinalizers(admin, type, name);
    await emptyNamespace(admin, name, [...LED, ...BUSY]);
  });
  await eventually(() => admin.get(TYPES.serviceAccount, { namespace: name, name: 'default' }));
  return name;
}

async function removeFinalizers(admin: KubeClient, type: ResourceType, namespace: string): Promise<void> {
  for (const { metadata } of await objectsIn(admin, type, namespace)) {
    if (metadata.finalizers === undefined) continue;
    const body = { metadata: { finalizers: null } };
    await admin.patch(type, metadata, body).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

/** The operator of a test has ended by now, and its policies would keep the namespace forever. */
export async function letGoOfPolicies(admin: KubeClient, namespace: string): Promise<void> {
  await removeFinalizers(admin, TYPES.networkPolicy, namespace);
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
