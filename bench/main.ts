import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { kubeconfig } from '../cluster/credentials.ts';
import { type Cluster, startCluster } from '../cluster/index.ts';
import { install, OPERATOR_NAMESPACE } from '../cli/install.ts';
import { kinds } from '../operator/kinds/index.ts';
import { connect } from '../operator/kube/connection.ts';
import { KubeClient } from '../operator/kube/client.ts';
import type { KubeObject, ResourceType } from '../operator/kube/types.ts';
import { OPERATOR_NAME } from '../operator/rbac.ts';
import { type Calls, callsOf, sum } from './audit.ts';
import { median } from './pool.ts';
import { usageOf } from './process.ts';
import { createResources, nameOf, objectsOf, OperatorProcess, runBare, spec } from './subjects.ts';

/** What one round at one size has measured. */
interface Round {
  readonly count: number;
  readonly bareSeconds: number;
  readonly operatorSeconds: number;
  /** How many times the bare client's time the operator takes. */
  readonly ratio: number;
  /** Mutating requests a resource, by verb and kind. */
  readonly callsEach: Calls;
  readonly writesEach: number;
  readonly cpuMillisecondsEach: number;
  readonly peakMiB: number;
  /** Mutating requests in 20 s with everything converged. */
  readonly writesAtRest: number;
}

const REST_MS = 20_000;
const DEPLOYMENT: ResourceType = { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments' };
const NAMESPACE: ResourceType = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' };

const OPTIONS = {
  counts: { type: 'string', default: '100,500' },
  rounds: { type: 'string', default: '3' },
  out: { type: 'string' },
} as const;

const say = (line: string): void => console.error(line);

/** Waits until `count` objects meet `isReady`; the observer asks for pages, so that it costs both subjects the same. */
async function allReady(
  client: KubeClient,
  type: ResourceType,
  namespace: string,
  count: number,
  isReady: (object: KubeObject) => boolean,
): Promise<void> {
  for (;;) {
    const { items } = await client.list(type, { namespace });
    if (items.filter(isReady).length >= count) return;
    await sleep(250);
  }
}

const isAvailable = (object: KubeObject): boolean =>
  (object['status'] as { availableReplicas?: number }).availableReplicas === 1;
const isRunning = (object: KubeObject): boolean =>
  (object['status'] as { phase?: string } | undefined)?.phase === 'Running';

class Bench {
  readonly #cluster: Cluster;
  readonly #admin: KubeClient;
  readonly #dir = mkdtempSync(join(tmpdir(), 'trunnion-bench-'));
  #namespaces = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    const { url, ca, token } = cluster;
    const connection = { url, ca, authorization: `Bearer ${token}`, namespace: 'default' };
    this.#admin = new KubeClient({ connection: connect({ from: 'fixed', connection }), userAgent: 'bench' });
  }

  async prepare(): Promise<void> {
    await install(this.#admin, { namespace: OPERATOR_NAMESPACE }, say);
    const token = await this.#cluster.serviceAccountToken(OPERATOR_NAMESPACE, OPERATOR_NAME);
    writeFileSync(this.#kubeconfig, kubeconfig(this.#cluster.url, this.#cluster.ca, token), { mode: 0o600 });
  }

  async round(count: number): Promise<Round> {
    const bareSeconds = await this.#bare(count);
    return { count, bareSeconds, ...(await this.#operator(count, bareSeconds)) };
  }

  async close(): Promise<void> {
    await this.#admin.close();
  }

  get #kubeconfig(): string {
    return join(this.#dir, 'kubeconfig');
  }

  async #namespace(): Promise<string> {
    const name = `bench-${(this.#namespaces += 1)}`;
    await this.#admin.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    // Its default service account, without which no pod is made.
    await sleep(1_000);
    return name;
  }

  /** Deletes a namespace and waits until its pods no longer keep the control plane busy. */
  async #clear(name: string): Promise<void> {
    await this.#admin.delete(NAMESPACE, { name });
    while ((await this.#admin.find(NAMESPACE, { name })) !== undefined) await sleep(500);
  }

  async #bare(count: number): Promise<number> {
    const namespace = await this.#namespace();
    const started = performance.now();
    await runBare(this.#admin, namespace, count);
    await allReady(this.#admin, DEPLOYMENT, namespace, count, isAvailable);
    const seconds = (performance.now() - started) / 1000;
    await this.#clear(namespace);
    return seconds;
  }

  async #operator(count: number, bareSeconds: number): Promise<Omit<Round, 'count' | 'bareSeconds'>> {
    const [kind] = kinds;
    if (kind === undefined) throw new Error('there is no kind');
    const namespace = await this.#namespace();
    const user = `system:serviceaccount:${OPERATOR_NAMESPACE}:${OPERATOR_NAME}`;
    const auditLog = this.#cluster.auditLogPath ?? '';
    await using operator = new OperatorProcess(this.#kubeconfig, namespace);
    await sleep(4_000);
    const before = usageOf(operator.pid);
    const from = statSync(auditLog).size;
    const started = performance.now();
    await createResources(this.#admin, namespace, count);
    await allReady(this.#admin, kind.type, namespace, count, isRunning);
    const operatorSeconds = (performance.now() - started) / 1000;
    await sleep(2_000);
    const after = usageOf(operator.pid);
    const calls = callsOf(user, auditLog, from);
    const resting = statSync(auditLog).size;
    await sleep(REST_MS);
    const writesAtRest = sum(callsOf(user, auditLog, resting));
    const each = Object.fromEntries(Object.entries(calls).map(([word, number]) => [word, number / count]));
    await this.#clear(namespace);
    return {
      operatorSeconds,
      ratio: operatorSeconds / bareSeconds,
      callsEach: each,
      writesEach: sum(calls) / count,
      cpuMillisecondsEach: ((after.cpuSeconds - before.cpuSeconds) * 1000) / count,
      peakMiB: after.peakMiB,
      writesAtRest,
    };
  }
}

/** Milliseconds of CPU that one rendering takes. */
function synthMilliseconds(): number {
  const times = 2_000;
  for (let index = 0; index < 200; index += 1) objectsOf(nameOf(index), 'bench');
  const started = process.cpuUsage();
  for (let index = 0; index < times; index += 1) objectsOf(nameOf(index), 'bench');
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000 / times;
}

const { values } = parseArgs({ options: OPTIONS });
const cluster = await startCluster({ nodes: 40, pace: 0.02, auditLog: true, log: say });
const bench = new Bench(cluster);
const rounds: Round[] = [];
try {
  await bench.prepare();
  // Sizes in turn, so that a machine that grows slower does so for all of them.
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const count of values.counts.split(',').map(Number)) {
      const measured = await bench.round(count);
      rounds.push(measured);
      say(
        `${count}: bare ${measured.bareSeconds.toFixed(1)} s, operator ${measured.operatorSeconds.toFixed(1)} s, ratio ${measured.ratio.toFixed(2)}, ${measured.writesEach.toFixed(1)} writes and ${measured.cpuMillisecondsEach.toFixed(1)} ms of CPU each, ${measured.peakMiB.toFixed(0)} MiB, ${measured.writesAtRest} writes at rest`,
      );
    }
  }
} finally {
  await bench.close();
  await cluster.stop();
}
const report = {
  machine: {
    cpus: cpus().length,
    model: cpus()[0]?.model,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  },
  spec,
  synthMilliseconds: synthMilliseconds(),
  medians: values.counts.split(',').map((count) => {
    const of = rounds.filter((round) => round.count === Number(count));
    const middle = (pick: (round: Round) => number): number => median(of.map(pick));
    return {
      count: Number(count),
      ratio: middle(({ ratio }) => ratio),
      writesEach: middle(({ writesEach }) => writesEach),
      cpuMillisecondsEach: middle(({ cpuMillisecondsEach }) => cpuMillisecondsEach),
      peakMiB: middle(({ peakMiB }) => peakMiB),
      writesAtRest: middle(({ writesAtRest }) => writesAtRest),
    };
  }),
  rounds,
};
const text = `${JSON.stringify(report, undefined, 2)}\n`;
if (values.out === undefined) process.stdout.write(text);
else writeFileSync(values.out, text);
