import { beforeAll, describe, expect, test } from 'vitest';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { kindsWith } from '../../../compat/kinds/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { adminClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, startOperator } from '../support/operator.ts';
import { ServingUnderTest } from '../support/serving.ts';
import { tenantOf } from './support/tenant.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

const ALIAS = 'nginx.ingress.kubernetes.io/server-alias';
const NETWORKS = 'k8s.v1.cni.cncf.io/networks';

/** Takes a GPU from nobody, and has an Ingress. */
const specOf = (ingress: object, pod: object): ModelServingSpecInput => ({
  model: { uri: 'pvc://shared/llama' },
  engine: { type: 'vllm' },
  resources: { gpu: 0, cpu: '1' },
  replicas: 0,
  expose: { ingress: { host: 'llama.example.com', className: 'other', annotations: { ...ingress } } },
  podTemplate: { metadata: { annotations: { ...pod } } },
});

/** The annotations of an Ingress; undefined where there is none. */
const onIngress = async ({ namespace, name }: ServingUnderTest): Promise<object | undefined> => {
  const found = await admin.find(TYPES.ingress, { namespace, name });
  return found === undefined ? undefined : (found.metadata.annotations ?? {});
};

describe('a tenant who may make ModelServings, and no Ingress', () => {
  test('has none made with an annotation that nobody allowed, until an administrator does', async () => {
    const namespace = await testNamespace(admin);
    const tenant = await tenantOf(admin, namespace);
    const serving = new ServingUnderTest(tenant, namespace);
    const operator = await startOperator(admin, namespace);

    await serving.apply(specOf({ [ALIAS]: 'bank.example.com' }, { [NETWORKS]: 'host-network' }));
    await serving.hasCondition(
      'Accepted',
      'False',
      'AnnotationNotAllowed',
      /server-alias\]: is not an annotation .*allowedAnnotations\.ingress[^]*networks\]: .*allowedAnnotations\.pod/,
    );
    expect(await onIngress(serving)).toBeUndefined();
    expect(await admin.find(TYPES.deployment, serving)).toBeUndefined();

    await operator.stop();
    const { kinds } = kindsWith({ allowedAnnotations: { ingress: ['+default', ALIAS], pod: [NETWORKS] } });
    await startOperator(admin, namespace, { kinds });
    await serving.hasCondition('Accepted', 'True', 'Accepted');
    await eventually(async () => expect(await onIngress(serving)).toEqual({ [ALIAS]: 'bank.example.com' }));
    const deployment = await eventually(() => admin.get(TYPES.deployment, serving));
    expect(deployment).toMatchObject({
      spec: { template: { metadata: { annotations: { [NETWORKS]: 'host-network' } } } },
    });
  });

  test('keeps what runs as it was, when such an annotation is added', async () => {
    const namespace = await testNamespace(admin);
    const serving = new ServingUnderTest(await tenantOf(admin, namespace), namespace);
    await startOperator(admin, namespace);
    const issuer = { 'cert-manager.io/issuer': 'team' };
    await serving.apply(specOf(issuer, {}));
    await eventually(async () => expect(await onIngress(serving)).toEqual(issuer));
    const { metadata } = await admin.get(TYPES.deployment, serving);

    await serving.apply(specOf({ ...issuer, [ALIAS]: 'bank.example.com' }, { [NETWORKS]: 'host-network' }));
    await serving.hasCondition('Accepted', 'False', 'AnnotationNotAllowed');
    expect(await onIngress(serving)).toEqual(issuer);
    expect((await admin.get(TYPES.deployment, serving)).metadata.generation).toBe(metadata.generation);
  });

  test('names no object of another namespace, whatever is allowed', async () => {
    const namespace = await testNamespace(admin);
    const serving = new ServingUnderTest(await tenantOf(admin, namespace), namespace);
    const { kinds } = kindsWith({ allowedAnnotations: { ingress: ['*'], serviceAccount: ['*'], pod: ['*'] } });
    await startOperator(admin, namespace, { kinds });
    await serving.apply(specOf({ 'nginx.ingress.kubernetes.io/auth-tls-secret': 'other/ca' }, {}));
    await serving.hasCondition('Accepted', 'False', 'InvalidSpec', /names an object of the namespace other/);
    expect(await onIngress(serving)).toBeUndefined();
  });
});
