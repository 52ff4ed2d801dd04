import { TRUNNION } from '../../../operator/trunnion.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import type { Kind } from '../../../operator/engine/api/kind.ts';
import { createLogger } from '../../../operator/engine/telemetry/log.ts';
import type { ResourceType } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { runOperator } from '../../../operator/operator.ts';
import { CONFIG_MAP, crdOf, widget } from '../../support/widget.ts';
import type { Widget } from '../../support/widget.ts';
import { adminClient, serviceAccountToken } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';

const admin = adminClient();

const FIXTURE: ResourceType = { group: 'test.trunnion.dev', version: 'v1', kind: 'Fixture', plural: 'fixtures' };
beforeAll(async () => {
  const crd = crdOf(FIXTURE);
  const spec = { ...(crd['spec'] as object), scope: 'Cluster' };
  await admin.apply(TYPES.customResourceDefinition, { ...crd, spec }, { fieldManager: 'test' });
  await eventually(() => admin.list(FIXTURE));
});

test('resources of the cluster are each reconciled, with children in a namespace, and come to rest', async () => {
  const namespace = await testNamespace(admin);
  let decisions = 0;
  const fixture: Kind<Widget, { readonly draining: boolean }> = {
    ...widget,
    type: { ...FIXTURE, scope: 'Cluster' },
    finalizer: 'test.trunnion.dev/fixture',
    reconcile: (snapshot, now) => {
      decisions += 1;
      return widget.reconcile(snapshot, now);
    },
    render: (resource, state) => widget.render({ ...resource, metadata: { ...resource.metadata, namespace } }, state),
  };
  // The operator's own roles are those of a namespace.
  const account = { kind: 'ServiceAccount', name: 'admin', namespace };
  await admin.create(TYPES.serviceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  await admin.create(TYPES.clusterRoleBinding, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [account],
  });
  const { url, ca } = cluster();
  const authorization = `Bearer ${await serviceAccountToken(admin, namespace, 'admin')}`;
  const connection = { from: 'fixed', connection: { url, ca, authorization, namespace } } as const;
  const stop = new AbortController();
  const started = Promise.withResolvers<number>();
  const running = runOperator({
    connection,
    identity: TRUNNION,
    kinds: [fixture],
    port: 0,
    host: '127.0.0.1',
    log: createLogger('silent'),
    signal: stop.signal,
    started: started.resolve,
  });
  await Promise.race([started.promise, running]);

  for (const name of [`a-${namespace}`, `b-${namespace}`]) {
    const body = { apiVersion: 'test.trunnion.dev/v1', kind: 'Fixture', metadata: { name } };
    await admin.apply(FIXTURE, { ...body, spec: { message: name, replicas: 1 } }, { fieldManager: 'user' });
    await eventually(async () => {
      expect(await admin.get(FIXTURE, { name })).toMatchObject({ status: { phase: 'Running' } });
      expect(await admin.get(CONFIG_MAP, { namespace, name })).toMatchObject({ data: { message: name } });
    });
  }
  await sleep(2_000);
  const before = decisions;
  await sleep(2_000);
  expect(decisions - before).toBe(0);

  for (const name of [`a-${namespace}`, `b-${namespace}`]) {
    await admin.delete(FIXTURE, { name });
    await eventually(async () => expect(await admin.find(FIXTURE, { name })).toBeUndefined());
  }
  stop.abort();
  await running;
  await admin.delete(TYPES.clusterRoleBinding, { name: namespace });
});
