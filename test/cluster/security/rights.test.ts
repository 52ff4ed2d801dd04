import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { App, Chart } from 'cdk8s';
import { filesOf } from '../../../cluster/components.ts';
import { OPERATOR_NAMESPACE } from '../../../cli/install.ts';
import { ModelServing, type Manifest, type ModelServingSpecInput } from '../../../constructs/index.ts';
import { kinds } from '../../../operator/kinds/index.ts';
import { OPERATOR_NAME, rbac } from '../../../operator/rbac.ts';
import { FaultProxy } from '../../faults/proxy/proxy.ts';
import { type AuditedRequest, mark, type Mark, requestsSince } from '../support/audit.ts';
import { adminClient, clientWith, serviceAccountToken } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installTrunnion, OPERATOR_USER, startOperator } from '../support/operator.ts';
import { installPublished } from '../support/other-crds.ts';
import { modelServingType, ServingUnderTest, servingSpec } from '../support/serving.ts';
import { types } from '../support/types.ts';
import { occupy } from './support/occupy.ts';
import { flatten, type PolicyRule } from './support/rules.ts';

const admin = adminClient();
let removeCrds: () => Promise<void>;

beforeAll(async () => {
  await installTrunnion(admin);
  removeCrds = await installPublished(admin, 'ScaledObject', 'HTTPRoute');
});
afterAll(() => removeCrds());

/**
 * Asked for by an admission plugin that this cluster doesn't run (OwnerReferencesPermissionEnforcement), and by nobody
 * else: an owner reference that blocks its owner's deletion is a kind of update of the owner's finalizers.
 */
const NEEDED_ELSEWHERE: ReadonlySet<string> = new Set(
  kinds.map(({ type }) => `${type.group}/${type.plural}/finalizers update`),
);

const shippedRights = (): readonly string[] =>
  rbac({ kinds, namespace: OPERATOR_NAMESPACE }).flatMap((manifest) =>
    'rules' in manifest ? flatten(manifest['rules'] as readonly PolicyRule[]) : [],
  );

/** What a request takes: to apply an object that isn't there is to create it as well. */
const rightsOf = ({ verb, group, resource, code }: AuditedRequest): readonly string[] =>
  (verb === 'patch' && code === 201 ? ['patch', 'create'] : [verb]).map((each) => `${group}/${resource} ${each}`);

async function usedRights(from: Mark): Promise<readonly string[]> {
  const requests = await requestsSince(admin, from);
  const granted = requests.filter(
    ({ user, code, resource }) => user === OPERATOR_USER && code !== 403 && resource !== '',
  );
  return [...new Set(granted.flatMap(rightsOf))];
}

/** Refuses to stream lists, as API servers before 1.32 do, so that all is listed page by page. */
async function oldApiServer(): Promise<string> {
  const { url, ca, kubeconfig } = inject('cluster');
  const { servingKey } = filesOf(dirname(kubeconfig));
  const proxy = await FaultProxy.start({
    upstream: { url, ca },
    tls: { cert: ca, key: await readFile(servingKey, 'utf8') },
  });
  onTestFinished(() => proxy.stop());
  const types = kinds.flatMap(({ type, childTypes }) => [type, ...childTypes]).length + 1;
  proxy.rules.add({ on: { verb: 'watch' }, fault: { do: 'answer', status: 422 }, times: types });
  return proxy.url;
}

const manifestsOf = ({ namespace, name }: ServingUnderTest, spec: ModelServingSpecInput): readonly Manifest[] => {
  const serving = new ModelServing(new Chart(new App(), 'rights'), 'serving', { name, namespace, spec });
  return serving.render().map(({ manifest }) => manifest);
};

describe('the rights that ship', () => {
  it('are, one by one, those that are used', async () => {
    const namespace = await testNamespace(admin);
    const from = mark();
    const operator = await startOperator(admin, undefined, {
      url: await oldApiServer(),
      leaderElection: { namespace: OPERATOR_NAMESPACE, name: namespace },
    });
    onTestFinished(() =>
      admin.delete(types.lease, { namespace: OPERATOR_NAMESPACE, name: namespace }).then(() => undefined),
    );
    const serving = new ServingUnderTest(admin, namespace);
    const use = (right: string): Promise<void> =>
      eventually(async () => {
        await admin.patch(modelServingType, serving, { metadata: { annotations: { poke: String(Date.now()) } } });
        expect(await usedRights(from)).toContain(right);
      });

    const { replicas: _, ...unscaled } = servingSpec;
    const model = { ...servingSpec.model, credentials: { secretName: 'reader' } };
    const first = {
      ...unscaled,
      model,
      autoscaling: { minReplicas: 1, maxReplicas: 3, targets: { cpuPercent: 70 } },
      expose: { ingress: { host: 'llama.example.com' } },
    };
    await admin.create(types.secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'reader', namespace },
      stringData: { AWS_ACCESS_KEY_ID: 'a' },
    });

    // Where every name is taken, it looks at each object, and who has it.
    const taken = await occupy(admin, manifestsOf(serving, first));
    await serving.apply(first);
    await use('/serviceaccounts get');
    await use('autoscaling/horizontalpodautoscalers get');
    await taken.free(({ kind }) => kind !== 'Job' && kind !== 'Deployment');
    await use('batch/jobs get');
    await taken.free(({ kind }) => kind === 'Job');
    await use('apps/deployments get');
    await taken.free(() => true);
    await serving.reaches('Running', 90_000);

    // Another autoscaler and another way in.
    const second = {
      ...first,
      autoscaling: {
        minReplicas: 1,
        maxReplicas: 3,
        targets: { queueDepth: 4 },
        prometheus: { serverAddress: 'http://prometheus.monitoring.svc:9090' },
      },
      expose: { gateway: { name: 'public', hostname: 'llama.example.com' } },
    };
    const others = await occupy(
      admin,
      manifestsOf(serving, second).filter(({ kind }) => kind === 'ScaledObject' || kind === 'HTTPRoute'),
    );
    await serving.apply(second);
    await use('keda.sh/scaledobjects get');
    await use('gateway.networking.k8s.io/httproutes get');
    await others.free(() => true);
    await use('keda.sh/scaledobjects create');
    await use('gateway.networking.k8s.io/httproutes create');

    // Nothing that is fetched, scaled or reached from outside, and then nothing that serves.
    await admin.create(types.persistentVolumeClaim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'shared', namespace },
      spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
    });
    const { storage: __, ...bare } = { ...servingSpec, model: { uri: 'pvc://shared/llama' } };
    await serving.apply(bare);
    await serving.reaches('Running', 90_000);
    await eventually(async () => expect((await admin.list(types.job, { namespace })).items).toEqual([]));
    await serving.apply({ ...bare, retired: true });
    await serving.reaches('Retired', 90_000);
    await serving.apply(bare);
    await serving.reaches('Running', 90_000);
    await serving.delete();
    await eventually(async () => expect(await admin.find(modelServingType, serving)).toBeUndefined(), {
      timeout: 60_000,
    });
    await operator.stop();

    const used = await usedRights(from);
    const shipped = shippedRights().filter((right) => !NEEDED_ELSEWHERE.has(right));
    expect(used.toSorted()).toEqual(shipped.toSorted());
  }, 300_000);
});

describe('the rights for one namespace', () => {
  it('suffice for the whole life of a resource there, and give none in another', async () => {
    const namespace = await testNamespace(admin);
    const other = await testNamespace(admin);
    for (const manifest of rbac({ kinds, namespace, watchNamespace: namespace })) {
      expect(manifest.metadata.namespace).toBe(namespace);
      const plural = `${manifest.kind.toLowerCase()}s`;
      const group = manifest.apiVersion.split('/').length > 1 ? 'rbac.authorization.k8s.io' : '';
      await admin.create({ group, version: 'v1', kind: manifest.kind, plural }, manifest);
    }
    await startOperator(admin, namespace, {
      account: namespace,
      leaderElection: { namespace },
    });
    const serving = new ServingUnderTest(admin, namespace);
    await serving.apply(servingSpec);
    await serving.reaches('Running');
    await serving.delete();
    await eventually(async () => expect(await admin.find(modelServingType, serving)).toBeUndefined(), {
      timeout: 60_000,
    });

    const operator = clientWith(await serviceAccountToken(admin, namespace, OPERATOR_NAME));
    onTestFinished(() => operator.close());
    for (const type of [modelServingType, types.pod, types.deployment, types.configMap]) {
      await expect(operator.list(type, { namespace: other })).rejects.toMatchObject({ status: 403 });
      await expect(operator.list(type)).rejects.toMatchObject({ status: 403 });
    }
    await expect(operator.get(types.secret, { namespace: other, name: 'any' })).rejects.toMatchObject({ status: 403 });
  });
});
