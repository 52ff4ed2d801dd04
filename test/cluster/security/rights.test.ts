import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { filesOf } from '../../../cluster/components.ts';
import { OPERATOR_NAMESPACE } from '../../../cli/options.ts';
import { kinds } from '../../../compat/kinds/index.ts';
import { OPERATOR_NAME, rbac } from '../../../operator/rbac.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { FaultProxy } from '../../../testing/faults/proxy/proxy.ts';
import { type AuditedRequest, mark, type Mark, requestsSince } from '../support/audit.ts';
import { adminClient, clientWith, serviceAccountToken } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { testNamespace } from '../support/namespace.ts';
import { installIn, installTrunnion, OPERATOR_USER, startOperator } from '../support/operator.ts';
import { installExtensions } from '../support/other-crds.ts';
import { modelServingType, ServingUnderTest, servingSpec } from '../support/serving.ts';
import { installPodGroups } from '../support/volcano.ts';
import { SCENARIOS } from './support/scenarios.ts';
import { flatten, type PolicyRule } from './support/rules.ts';

const admin = adminClient();
let removeCrds: () => Promise<void>;
let removePodGroups: () => Promise<void>;

beforeAll(async () => {
  await installTrunnion(admin);
  removeCrds = await installExtensions(admin);
  removePodGroups = await installPodGroups(admin);
});
afterAll(() => Promise.all([removeCrds(), removePodGroups()]));

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
  const { url, ca, kubeconfig } = cluster();
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

describe('the rights that ship', () => {
  it('are, one by one, those that the whole lives of all kinds use', async () => {
    const namespace = await testNamespace(admin);
    const from = mark();
    const operator = await startOperator(admin, undefined, {
      url: await oldApiServer(),
      leaderElection: { namespace: OPERATOR_NAMESPACE, name: namespace },
    });
    onTestFinished(() =>
      admin.delete(TYPES.lease, { namespace: OPERATOR_NAMESPACE, name: namespace }).then(() => undefined),
    );
    expect(kinds.map(({ type }) => type.kind).filter((kind) => !(kind in SCENARIOS))).toEqual([]);
    for (const live of Object.values(SCENARIOS)) {
      await live({
        admin,
        namespace,
        use: (resource, right) =>
          eventually(async () => {
            // A resource that fails waits for longer and longer, unless it changes.
            await resource.poke();
            expect(await usedRights(from)).toContain(right);
          }),
      });
    }
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
    const manifests = await installIn(admin, namespace);
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).toEqual(new Set([namespace]));
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
    for (const type of [modelServingType, TYPES.pod, TYPES.deployment, TYPES.configMap]) {
      await expect(operator.list(type, { namespace: other })).rejects.toMatchObject({ status: 403 });
      await expect(operator.list(type)).rejects.toMatchObject({ status: 403 });
    }
    await expect(operator.get(TYPES.secret, { namespace: other, name: 'any' })).rejects.toMatchObject({ status: 403 });
  });
});
