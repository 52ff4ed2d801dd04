import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { install } from '../cli/install.ts';
import { OPERATOR_NAMESPACE } from '../cli/options.ts';
import { type Cluster, startCluster } from '../cluster/index.ts';
import type { KubeClient } from '../operator/kube/client.ts';
import type { KubeObject, ResourceType } from '../operator/kube/types.ts';
import { OPERATOR_NAME } from '../operator/rbac.ts';
import { clientOf } from '../test/support/client.ts';
import { OperatorProcess } from '../test/support/operator-process.ts';
import { type Calls, callsOf, sum } from './audit.ts';
import { type Build, build } from './build.ts';
import { writeFloor } from './floor.ts';
import { RESOURCE, writeObjects, writeResources } from './subjects.ts';

/** What the operator costs, a resource. */
export interface Cost {
  /** Requests by verb and type of object. */
  readonly callsEach: Calls;
  readonly writesEach: number;
  readonly cpuMillisecondsEach: number;
  /** Largest resident set since the operator started. */
  readonly peakMiB: number;
  /** Mutating requests in 20 s with everything converged. */
  readonly writesAtRest: number;
}

/** What one round has measured. */
export interface Round extends Cost {
  readonly count: number;
  /** From the first request until the last Deployment is available, of a client that only creates the objects. */
  readonly bareSeconds: number;
  /** The same of a client that writes all that an operator has to, without what it takes to know what: see floor.ts. */
  readonly floorSeconds: number;
  /** From the first custom resource until the last is Running. */
  readonly operatorSeconds: number;
  /** How many times the bare client's time the operator takes. */
  readonly ratio: number;
  /** How many times the bare client's time no operator can do without. */
  readonly floorRatio: number;
}

const REST_MS = 20_000;
/** Until the last events, which are joined, have gone out. */
const TAIL_MS = 3_000;
const POLL_MS = 250;
/** Of the 250 that a node takes, so that the last are placed as quickly as the first. */
const PODS_PER_NODE = 125;

const DEPLOYMENT: ResourceType = { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments' };
const NAMESPACE: ResourceType = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' };
const USER = `system:serviceaccount:${OPERATOR_NAMESPACE}:${OPERATOR_NAME}`;

const isAvailable = ({ status }: KubeObject): boolean =>
  (status as { readonly availableReplicas?: number }).availableReplicas === 1;
const isRunning = ({ status }: KubeObject): boolean =>
  (status as { readonly phase?: string } | undefined)?.phase === 'Running';

/** Measures a bare client, the floor and the operator, one after the other, on the same control plane. */
export class Bench implements AsyncDisposable {
  readonly #cluster: Cluster;
  readonly #admin: KubeClient;
  readonly #token: string;
  readonly #program: Build;
  #namespaces = 0;

  private constructor(cluster: Cluster, admin: KubeClient, token: string, program: Build) {
    this.#cluster = cluster;
    this.#admin = admin;
    this.#token = token;
    this.#program = program;
  }

  /** @param most - the largest number of resources of a round */
  static async open(most: number, log: (line: string) => void): Promise<Bench> {
    const program = await build();
    const cpuNodes = Math.ceil(most / PODS_PER_NODE);
    const cluster = await startCluster({ nodes: 1, cpuNodes, pace: 0.02, auditLog: true, log });
    const admin = clientOf(cluster, 'bench');
    await install(admin, { namespace: OPERATOR_NAMESPACE, operator: false }, () => undefined);
    return new Bench(cluster, admin, await cluster.serviceAccountToken(OPERATOR_NAMESPACE, OPERATOR_NAME), program);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#admin.close();
    await this.#cluster.stop();
    this.#program.remove();
  }

  async round(count: number): Promise<Round> {
    const bareSeconds = await this.#bare(count);
    const floorSeconds = await this.#floor(count);
    const { operatorSeconds, ...cost } = await this.#operator(count);
    return {
      count,
      bareSeconds,
      floorSeconds,
      operatorSeconds,
      ratio: operatorSeconds / bareSeconds,
      floorRatio: floorSeconds / bareSeconds,
      ...cost,
    };
  }

  async #bare(count: number): Promise<number> {
    const namespace = await this.#namespace();
    const seconds = await timed(async () => {
      await writeObjects(this.#admin, namespace, count);
      await this.#all(DEPLOYMENT, namespace, count, isAvailable);
    });
    await this.#clear(namespace);
    return seconds;
  }

  async #floor(count: number): Promise<number> {
    const namespace = await this.#namespace();
    const available = async (): Promise<ReadonlySet<string>> => {
      const { items } = await this.#admin.list(DEPLOYMENT, { namespace });
      return new Set(items.filter(isAvailable).map(({ metadata: { name } }) => name));
    };
    const seconds = await timed(() => writeFloor(this.#admin, namespace, count, available, POLL_MS));
    await this.#clear(namespace);
    return seconds;
  }

  async #operator(count: number): Promise<Cost & { readonly operatorSeconds: number }> {
    const namespace = await this.#namespace();
    const { url, ca } = this.#cluster;
    const args = ['--namespace', namespace, '--log-level', 'error'];
    await using operator = await OperatorProcess.start({
      url,
      ca,
      token: this.#token,
      args,
      program: this.#program.program,
    });
    await operator.ready();
    const [before, from] = [operator.usage(), this.#audited];
    const operatorSeconds = await timed(async () => {
      await writeResources(this.#admin, namespace, count);
      await this.#all(RESOURCE, namespace, count, isRunning);
    });
    await sleep(TAIL_MS);
    const after = operator.usage();
    const calls = callsOf(USER, this.#auditLog, from);
    const rest = this.#audited;
    await sleep(REST_MS);
    const writesAtRest = sum(callsOf(USER, this.#auditLog, rest));
    await this.#clear(namespace);
    return {
      operatorSeconds,
      callsEach: Object.fromEntries(Object.entries(calls).map(([word, number]) => [word, number / count])),
      writesEach: sum(calls) / count,
      cpuMillisecondsEach: ((after.cpuSeconds - before.cpuSeconds) * 1_000) / count,
      peakMiB: after.peakMiB,
      writesAtRest,
    };
  }

  get #auditLog(): string {
    return this.#cluster.auditLogPath ?? '';
  }

  get #audited(): number {
    return statSync(this.#auditLog).size;
  }

  async #namespace(): Promise<string> {
    const name = `bench-${(this.#namespaces += 1)}`;
    await this.#admin.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    // Its default service account, without which no pod is made.
    await sleep(1_000);
    return name;
  }

  /** Deletes a namespace, and waits until its pods no longer keep the control plane busy. */
  async #clear(name: string): Promise<void> {
    await this.#admin.delete(NAMESPACE, { name });
    while ((await this.#admin.find(NAMESPACE, { name })) !== undefined) await sleep(500);
  }

  /** Waits until `count` objects are ready: asked in the same way for both subjects, so that it costs them the same. */
  async #all(
    type: ResourceType,
    namespace: string,
    count: number,
    isReady: (object: KubeObject) => boolean,
  ): Promise<void> {
    for (;;) {
      const { items } = await this.#admin.list(type, { namespace });
      if (items.filter(isReady).length >= count) return;
      await sleep(POLL_MS);
    }
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}
