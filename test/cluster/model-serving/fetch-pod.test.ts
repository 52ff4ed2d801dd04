import { beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { ServingUnderTest, servingSpec } from '../support/serving.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const core = (kind: string, plural: string) => ({ group: '', version: 'v1', kind, plural });

/** The first pod of a component, once the API server has let one in. */
const podOf = (namespace: string, component: string): Promise<KubeObject> =>
  eventually(async () => {
    const labelSelector = `app.kubernetes.io/component=${component}`;
    const { items } = await admin.list(TYPES.pod, { namespace, labelSelector });
    expect(items).not.toEqual([]);
    return items[0] as KubeObject;
  });

describe('what a namespace says of pods lets a fetch in that has a server:', () => {
  it('a LimitRange of 2 CPUs, and 1Gi', async () => {
    const namespace = await testNamespace(admin);
    await admin.create(core('LimitRange', 'limitranges'), {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'small', namespace },
      spec: { limits: [{ type: 'Container', max: { cpu: '2', memory: '1Gi' } }] },
    });
    await startOperator(admin, namespace);
    const serving = new ServingUnderTest(admin, namespace);
    await serving.apply({ ...servingSpec, resources: { gpu: 1, cpu: '1', memory: '512Mi' } });
    const { spec } = await podOf(namespace, 'fetcher');
    expect(spec).toMatchObject({ containers: [{ resources: { limits: { cpu: '2', memory: '512Mi' } } }] });
  });

  it('a LimitRange with a ratio, least amounts and defaults', async () => {
    const namespace = await testNamespace(admin);
    const range = {
      type: 'Container',
      min: { cpu: '100m', memory: '128Mi' },
      default: { cpu: '400m' },
      defaultRequest: { cpu: '200m' },
      maxLimitRequestRatio: { cpu: '2', memory: '1' },
    };
    await admin.create(core('LimitRange', 'limitranges'), {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'near', namespace },
      spec: { limits: [range] },
    });
    await startOperator(admin, namespace);
    const serving = new ServingUnderTest(admin, namespace);
    await serving.apply({ ...servingSpec, resources: { gpu: 1, memory: '8Gi' } });
    await podOf(namespace, 'fetcher');
    await podOf(namespace, 'server');
  });

  it('a quota that asks for limits of all that a server has limits of', async () => {
    const namespace = await testNamespace(admin);
    const hard = { 'limits.cpu': '100', 'limits.memory': '1Ti', 'requests.cpu': '100', 'requests.memory': '1Ti' };
    await admin.create(core('ResourceQuota', 'resourcequotas'), {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'all', namespace },
      spec: { hard },
    });
    await startOperator(admin, namespace);
    const serving = new ServingUnderTest(admin, namespace);
    const containers = [{ name: 'server', resources: { limits: { cpu: '8' } } }];
    await serving.apply({ ...servingSpec, podTemplate: { spec: { containers } } });
    await podOf(namespace, 'fetcher');
    await podOf(namespace, 'server');
  });
});
