/**
 * What a hostile tenant can do to all others: resources of every kind at the edges of what the API server lets through,
 * whose programs log, report and answer what they like, while somebody else works in another namespace. The operator is
 * the program that its image runs, under the rights that ship.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../../bench/build.ts';
import { install } from '../../cli/install.ts';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { filesOf } from '../../cluster/components.ts';
import { startCluster } from '../../cluster/index.ts';
import { freePort } from '../../cluster/ports.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { OPERATOR_NAME } from '../../operator/rbac.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { Fleet } from '../scale/support/fleet.ts';
import { clientOf } from '../support/client.ts';
import { OperatorProcess } from '../support/operator-process.ts';
import { DRAINING } from './support/known.ts';
import { HostilePods } from './support/pods.ts';
import type { Measurement, ProbeOrder } from './support/probe.ts';
import { HostileTenant } from './support/tenant.ts';
import { Verdict, wrongsOf } from './support/verdict.ts';

export interface CampaignOptions {
  readonly seconds: number;
  /** The same seed makes the same resources. */
  readonly seed: number;
  readonly log: (line: string) => void;
}

const HOSTILE = 'hostile';
const OTHER = 'other';
const RESOURCES = 50;
/** Pods that all hostile resources may have together: this machine has to simulate them. */
const PODS = '160';
const ROUND_MS = 5_000;
const REPLACED = 4;
const ENDED = 12;

/** The volume of the services that are known. */
const WEIGHTS = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'weights', namespace: HOSTILE },
  spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
};

/** So long all may take to settle when nobody does anything any more, in milliseconds. */
const SETTLE_MS = 180_000;
const CALM_MS = 10_000;
/** What may be done meanwhile: a look at each resource every few seconds, and what is asked for it. */
const CALM_RECONCILES = 3 * RESOURCES;
const CALM_REQUESTS = 500;

/** @returns what is wrong, in words; nothing where all is as promised */
export async function campaign({ seconds, seed, log }: CampaignOptions): Promise<readonly string[]> {
  log(`seed ${seed}, ${seconds} seconds`);
  await using stack = new AsyncDisposableStack();
  const program = await build();
  stack.defer(() => program.remove());
  const cluster = await startCluster({ nodes: 2, cpuNodes: 2, pace: 0.1 });
  stack.defer(() => cluster.stop());
  const admin = clientOf(cluster);
  stack.defer(() => admin.close());
  await install(admin, { namespace: OPERATOR_NAMESPACE, operator: false, compat: true }, () => undefined);
  const token = await cluster.serviceAccountToken(OPERATOR_NAMESPACE, OPERATOR_NAME);
  for (const name of [HOSTILE, OTHER]) await namespace(admin, name);

  const operator = await OperatorProcess.start({
    url: cluster.url,
    ca: cluster.ca,
    token,
    program: program.program,
    args: ['--log-level', 'error', '--simulated-pods'],
  });
  stack.use(operator);
  // One that is held up does not end by itself, not even when it is told to.
  process.once('exit', () => operator.signal('SIGKILL'));
  await operator.ready();
  const verdict = new Verdict();
  const others = new Fleet(admin, OTHER);
  await others.create(['victim']);
  await others.settled(30_000);
  const order: ProbeOrder = { cluster: pick(cluster), port: operator.port, namespace: OTHER, name: 'victim' };
  const probe = child('probe.ts', []);
  stack.defer(() => void probe.kill());
  probe.on('message', (found: Measurement) => verdict.measured(found));
  probe.send(order);

  const port = await freePort();
  const tenant = new HostileTenant(admin, HOSTILE, seed);
  const pods = new HostilePods(admin, HOSTILE, filesOf(cluster.dir).podLogs);
  pods.nextLog();
  await admin.create(TYPES.persistentVolumeClaim, WEIGHTS);
  await tenant.makeKnown(port);
  stack.use(await retire(admin, tenant, port));
  await quota(admin);
  await tenant.fill(RESOURCES);
  log(`${tenant.held.length} resources; the API server refused ${tenant.refused} changes`);

  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end && operator.isRunning) {
    pods.nextLog();
    await pods.misbehave(ENDED);
    await tenant.replace(REPLACED);
    verdict.peak(operator.usage().peakMiB);
    await sleep(ROUND_MS);
  }
  await settled(operator, tenant, verdict, log);
  return conclusion(operator, tenant, verdict, log);
}

const pick = ({ url, ca, token }: ProbeOrder['cluster']): ProbeOrder['cluster'] => ({ url, ca, token });

const child = (file: string, args: readonly string[]): ChildProcess =>
  fork(new URL(`support/${file}`, import.meta.url), args, {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

async function namespace(admin: KubeClient, name: string): Promise<void> {
  await admin.create(TYPES.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await eventually(() => admin.get(TYPES.serviceAccount, { namespace: name, name: 'default' }));
}

async function quota(admin: KubeClient): Promise<void> {
  const metadata = { name: 'pods', namespace: HOSTILE };
  const spec = { hard: { pods: PODS } };
  await admin.create(TYPES.resourceQuota, { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec });
}

/** Retires a service once its pods run, each of which answers in its own way how many requests it still has. */
async function retire(admin: KubeClient, tenant: HostileTenant, port: number): Promise<AsyncDisposable> {
  const labelSelector = `app.kubernetes.io/instance=${DRAINING.name}`;
  const addresses = await eventually(
    async () => {
      const { items } = await admin.list(TYPES.pod, { namespace: HOSTILE, labelSelector });
      const found = items.flatMap(({ status }) => (status as { readonly podIP?: string } | undefined)?.podIP ?? []);
      if (found.length < DRAINING.pods) throw new Error(`only ${found.length} pods of ${DRAINING.name} run`);
      return found;
    },
    { timeout: 120_000 },
  );
  const server = child('metrics-server.ts', [`${port}`]);
  server.send(addresses);
  const draining = tenant.held.find(({ name }) => name === DRAINING.name);
  if (draining !== undefined) await tenant.patch(draining, { spec: { retired: true } });
  return { [Symbol.asyncDispose]: async () => void server.kill() };
}

/** Waits until hardly anything is done any more: whatever failed has backed off. */
async function settled(
  operator: OperatorProcess,
  tenant: HostileTenant,
  verdict: Verdict,
  log: (line: string) => void,
): Promise<void> {
  const done = async () => ({
    reconciles: await operator.metric('controller_runtime_reconcile_total'),
    requests: await operator.metric('rest_client_requests_total'),
    waiting: await operator.metric('workqueue_depth'),
  });
  try {
    await eventually(
      async () => {
        const before = await done();
        await sleep(CALM_MS);
        const after = await done();
        const [reconciles, requests] = [after.reconciles - before.reconciles, after.requests - before.requests];
        log(`in ${CALM_MS / 1_000} s ${reconciles} reconciles and ${requests} requests; ${after.waiting} wait`);
        if (reconciles > CALM_RECONCILES || requests > CALM_REQUESTS || after.waiting > RESOURCES)
          throw new Error(`${reconciles} reconciles and ${requests} requests in ${CALM_MS / 1_000} s, with no end`);
        const wrongs = (await Promise.all(tenant.held.map((each) => tenant.get(each)))).flatMap(wrongsOf);
        if (wrongs.length > 0) throw new Error(wrongs.join('; '));
      },
      { timeout: SETTLE_MS },
    );
  } catch (error) {
    verdict.wrongs.add(String(error));
  }
}

function conclusion(
  operator: OperatorProcess,
  tenant: HostileTenant,
  verdict: Verdict,
  log: (line: string) => void,
): readonly string[] {
  for (const what of ['api', 'change', 'healthz'] as const) {
    const { count, most, p99 } = verdict.of(what);
    log(`${what}: ${count} times, 99 % within ${Math.round(p99)} ms, the longest ${Math.round(most)} ms`);
    if (count === 0) verdict.wrongs.add(`${what} was never measured`);
  }
  if (operator.isRunning) {
    const { peakMiB } = operator.usage();
    verdict.peak(peakMiB);
    log(`the operator took ${Math.round(peakMiB)} MiB at most`);
  } else {
    verdict.wrongs.add(`the operator has ended: ${operator.words()}`);
  }
  log(`the API server refused ${tenant.refused} changes`);
  return [...verdict.wrongs];
}
