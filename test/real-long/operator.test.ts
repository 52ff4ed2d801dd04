import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../operator/kube/client/types.ts';
import { OPERATOR_LABELS, OPERATOR_NAME } from '../../operator/rbac.ts';
import { crds } from '../../stacks/operator/crds.ts';
import { AgentUnderTest } from '../cluster/support/agent.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { ServingUnderTest } from '../cluster/support/serving.ts';
import { trunnion } from '../support/trunnion.ts';
import { debianImage, LIGHT_WITH_PYTHON } from '../real/images/debian.ts';
import { AGENT, programsImage } from '../real/images/programs.ts';
import type { Report } from '../real/load/report.ts';
import { leaderOf, podOf, watchLeadership } from '../real/support/leadership.ts';
import { startLoad } from '../real/support/load.ts';
import { fillVolume, lightModel, restrictedNamespace } from '../real/support/model.ts';
import { installOperator, loadOperatorImage } from '../real/support/operator.ts';
import { killContainer, mainProcess, runInNetworkOf } from '../real/support/processes.ts';
import { workloadsOf } from '../real/support/snapshot.ts';
import { startTestbed, type Testbed } from '../real/support/testbed.ts';

const NAMESPACE = 'models';
const NEXT = '0.1.1-next';
const PATIENCE = { timeout: 120_000 };

let testbed: Testbed;
let client: KubeClient;
let model: ServingUnderTest;
let agent: AgentUnderTest;

beforeAll(async () => {
  testbed = await startTestbed();
  client = testbed.client;
  model = new ServingUnderTest(client, NAMESPACE, 'tiny');
  agent = new AgentUnderTest(client, NAMESPACE, 'support');
  await testbed.cluster.loadImage(await debianImage(LIGHT_WITH_PYTHON));
  await testbed.cluster.loadImage(await programsImage(AGENT));
  await loadOperatorImage(testbed);
  await loadOperatorImage(testbed, NEXT);
  await installOperator(testbed);
  await restrictedNamespace(client, NAMESPACE);
  await fillVolume(client, NAMESPACE);
  await model.apply(serving(512));
  await agent.apply({ image: AGENT.name, modelRef: { name: 'tiny' }, replicas: 1, drain: { timeoutSeconds: 5 } });
  await serves(2);
  await agent.reaches('Running', PATIENCE.timeout);
  // kube-proxy and kube-router take a moment to learn of the first pods of a Service. From here on it answers.
  await (
    await load('before', 5)
  )();
});
afterAll(() => testbed.stop());

const serving = (length: number) => ({
  ...lightModel,
  engine: { ...lightModel.engine, args: [`--max-model-len=${length}`] },
  replicas: 2,
});

const load = (name: string, seconds: number): Promise<() => Promise<Report>> =>
  startLoad(client, { name, namespace: NAMESPACE, host: `tiny.${NAMESPACE}.svc.cluster.local:8000`, seconds });

const serves = (replicas: number) =>
  model.shows(
    ({ status }) => expect(status).toMatchObject({ phase: 'Running', readyReplicas: replicas }),
    PATIENCE.timeout,
  );

const since = (start: number): number => Math.round((Date.now() - start) / 100) / 10;

/** Prints the figures of a test beside those of its load, which must not have failed. */
async function judge(ended: () => Promise<Report>, figures: object): Promise<void> {
  const report = await ended();
  console.log(JSON.stringify({ ...figures, ...report }));
  expect(report).toMatchObject({ failed: 0, failures: {} });
  expect(report.requests).toBeGreaterThan(100);
}

async function podsOf(namespace: string, name: string): Promise<readonly Pod[]> {
  const { items } = await client.list(TYPES.pod, { namespace, labelSelector: `app.kubernetes.io/name=${name}` });
  return items as readonly Pod[];
}

interface Pod extends KubeObject {
  readonly spec: { readonly containers: readonly { readonly image: string; readonly args?: readonly string[] }[] };
}

/** What each server was started with. */
async function lengths(): Promise<readonly string[]> {
  const pods = await podsOf(NAMESPACE, 'model-serving');
  return pods.flatMap(({ spec }) => spec.containers[0]?.args?.filter((arg) => arg.includes('max-model-len')) ?? []);
}

test('another process takes over from a leader that is killed while a model rolls, and the roll ends right', async () => {
  const ended = await load('takeover', 75);
  await model.apply(serving(1_024));
  await eventually(async () => expect(await lengths()).toContain('--max-model-len=1024'));
  const leader = await leaderOf(client);
  await killContainer(client, { namespace: OPERATOR_NAMESPACE, name: podOf(leader) }, 'operator');
  const killed = Date.now();
  // Nobody leads now.
  await model.apply(serving(2_048));
  const next = await eventually(async () => {
    const now = await leaderOf(client);
    expect(now).not.toBe(leader);
    return now;
  }, PATIENCE);
  const secondsWithoutLeader = since(killed);
  await eventually(
    async () => expect(await lengths()).toEqual(['--max-model-len=2048', '--max-model-len=2048']),
    PATIENCE,
  );
  await serves(2);
  const figures = {
    secondsWithoutLeader,
    secondsUntilRolled: since(killed),
    inAnotherPod: podOf(next) !== podOf(leader),
  };
  await judge(ended, figures);
});

/** How often an operator has looked at resources of a kind, as its metrics say. */
async function passes(pod: string, kind: string): Promise<number> {
  const id = await mainProcess(client, { namespace: OPERATOR_NAMESPACE, name: pod }, 'operator');
  const script = "fetch('http://127.0.0.1:8080/metrics').then((a) => a.text()).then(console.log)";
  const lines = (await runInNetworkOf(id, [process.execPath, '-e', script])).split('\n');
  return lines
    .filter((line) => line.startsWith('controller_runtime_reconcile_total{') && line.includes(`controller="${kind}"`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('an upgrade under load writes to no object of a workload, and leaves nobody leading for seconds at most', async () => {
  await model.reaches('Running');
  const before = await workloadsOf(client, NAMESPACE);
  const ended = await load('upgrade', 45);
  const succession = watchLeadership(client);
  const start = Date.now();
  await installOperator(testbed, NEXT);
  const image = `docker.io/library/trunnion-operator:${NEXT}`;
  const leader = await eventually(async () => {
    const pods = await podsOf(OPERATOR_NAMESPACE, OPERATOR_NAME);
    expect(pods.map(({ spec }) => spec.containers[0]?.image)).toEqual([image, image]);
    const now = await leaderOf(client);
    expect(pods.map(({ metadata }) => metadata.name)).toContain(podOf(now));
    return now;
  }, PATIENCE);
  await eventually(async () => {
    for (const kind of ['ModelServing', 'AgentService']) expect(await passes(podOf(leader), kind)).toBeGreaterThan(0);
  }, PATIENCE);
  const secondsUntilUpgraded = since(start);
  const { leaders, gap } = await succession();
  await judge(ended, { secondsUntilUpgraded, leaders: leaders.length, secondsWithoutLeader: gap });
  expect(await workloadsOf(client, NAMESPACE)).toEqual(before);
  expect(gap).toBeLessThan(15);
});

/** All that is in the operator's namespace, but for what every namespace has, and what tells of the past. */
async function leftOf(): Promise<readonly string[]> {
  const { deployment, replicaSet, pod, service, endpointSlice, networkPolicy, podDisruptionBudget, ...more } = TYPES;
  const { serviceAccount, role, roleBinding, configMap, secret, lease } = more;
  const types = [deployment, replicaSet, pod, service, endpointSlice, networkPolicy, podDisruptionBudget].concat([
    serviceAccount,
    role,
    roleBinding,
    configMap,
    secret,
    lease,
  ]);
  const lists = await Promise.all(types.map((type) => client.list(type, { namespace: OPERATOR_NAMESPACE })));
  return types
    .flatMap(({ kind }, index) => (lists[index]?.items ?? []).map(({ metadata }) => `${kind} ${metadata.name}`))
    .filter((one) => one !== 'ServiceAccount default' && one !== 'ConfigMap kube-root-ca.crt');
}

test('`trunnion uninstall` takes the operator and its rights, and workloads continue without it', async () => {
  const before = Object.keys(await workloadsOf(client, NAMESPACE));
  const ended = await load('uninstall', 30);
  const { code, stderr } = await trunnion(['uninstall', '--kubeconfig', testbed.cluster.kubeconfig]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  await eventually(async () => expect(await leftOf()).toEqual([]), PATIENCE);
  const labelSelector = Object.entries(OPERATOR_LABELS)
    .map(([key, value]) => `${key}=${value}`)
    .join();
  const { items: bindings } = await client.list(TYPES.clusterRoleBinding, { labelSelector });
  expect(bindings).toEqual([]);

  await judge(ended, {});
  expect(Object.keys(await workloadsOf(client, NAMESPACE))).toEqual(before);
  for (const { metadata } of crds()) await client.get(TYPES.customResourceDefinition, metadata);
  for (const resource of [model, agent]) expect((await resource.get()).metadata.deletionTimestamp).toBe(undefined);
  const { items } = await client.list(TYPES.networkPolicy, { namespace: NAMESPACE });
  expect(items.flatMap(({ metadata }) => metadata.finalizers ?? [])).toEqual([]);
});
