import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster } from '../cluster/index.ts';
import { TYPES } from '../operator/kube/index.ts';
import type { KubeClient, KubeObject, ResourceType } from '../operator/kube/index.ts';
import { clientOf } from '../test/support/client.ts';
import { emptyNamespace, objectsIn } from '../test/support/namespace.ts';
import { type Calls, callsOf, sum } from './audit.ts';
import { type Build, build } from './build.ts';
import { careful } from './careful/index.ts';
import { Cores } from './cores.ts';
import { writeFloor } from './floor.ts';
import type { Led } from './led.ts';
import { Observer } from './observer.ts';
import { inTurn } from './pool.ts';
import { type Usage, usageOf } from './process.ts';
import { CHILD_TYPES, objectsOfAll, RESOURCE, writeObjects, writeResources } from './subjects.ts';
import { PROGRAM, runtime } from './runtime/index.ts';
import { trunnion } from './trunnion.ts';

/** What an operator costs, a resource. */
export interface Cost {
  /** Requests by verb and type of object. */
  readonly callsEach: Calls;
  readonly writesEach: number;
  readonly cpuMillisecondsEach: number;
  /** Largest resident set since the operator started. */
  readonly peakMiB: number;
  /** Mutating requests with everything converged: see `restMs` of `round`. */
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
  /** The floor: how many times the bare client's time every operator needs. */
  readonly floorRatio: number;
  /** How many times the floor's time the operator takes. */
  readonly timesFloor: number;
  /** Milliseconds of the processor that the floor takes for a resource: to speak with the server alone, from Node. */
  readonly floorCpuMillisecondsEach: number;
  /** The same of a careful operator in Go, where it is asked for: see careful/main.go. */
  readonly beside?: Beside;
}

/** What another operator costs. */
export interface Beside extends Cost {
  /** From the first custom resource until the last is Running. */
  readonly seconds: number;
  /** How many times the bare client's time it takes. */
  readonly ratio: number;
}

const REST_MS = 20_000;
/** Until the last events, which are joined, have gone out. */
const TAIL_MS = 3_000;
/** Of the 250 that a node takes, so that the last are placed as quickly as the first. */
const PODS_PER_NODE = 125;

/** What is deleted after a measurement. A namespace always has a ServiceAccount, and a ConfigMap with a certificate. */
const TO_CLEAR: readonly ResourceType[] = [RESOURCE, ...CHILD_TYPES, TYPES.replicaSet, TYPES.pod].filter(
  ({ kind }) => kind !== 'ServiceAccount' && kind !== 'ConfigMap',
);

const isAvailable = ({ status }: KubeObject): boolean =>
  (status as { readonly availableReplicas?: number } | undefined)?.availableReplicas === 1;
const isRunning = ({ status }: KubeObject): boolean =>
  (status as { readonly phase?: string } | undefined)?.phase === 'Running';

/**
 * Measures a bare client, the floor and the operator, one after the other, on the same control plane, each round in another
 * order: anyone who comes first finds the server cold.
 */
export class Bench implements AsyncDisposable {
  readonly #cluster: Cluster;
  readonly #admin: KubeClient;
  readonly #program: Build;
  readonly #cores: Cores;
  readonly #operator: Led;
  readonly #beside: (Led & Disposable) | undefined;
  #namespaces = 0;
  #rounds = 0;

  private constructor(
    testbed: { readonly cores: Cores; readonly cluster: Cluster; readonly admin: KubeClient; readonly program: Build },
    operator: Led,
    beside: (Led & Disposable) | undefined,
  ) {
    this.#cores = testbed.cores;
    this.#cluster = testbed.cluster;
    this.#admin = testbed.admin;
    this.#program = testbed.program;
    this.#operator = operator;
    this.#beside = beside;
  }

  /**
   * @param most - the largest number of resources of a round
   * @param subjects - whether a careful operator in Go is measured as well, which is built first; and whether an operator
   * that is built by the runtime for others is, in place of Trunnion's own
   */
  static async open(
    most: number,
    log: (line: string) => void,
    subjects: { readonly beside?: boolean; readonly runtime?: boolean } = {},
  ): Promise<Bench> {
    const program = await build(subjects.runtime === true ? PROGRAM : {});
    const cpuNodes = Math.ceil(most / PODS_PER_NODE);
    const cores = new Cores();
    const options = { nodes: 1, cpuNodes, pace: 0.02, auditLog: true, log };
    const cluster = await cores.controlPlane(() => startCluster(options));
    const admin = clientOf(cluster, 'bench');
    const operator =
      subjects.runtime === true
        ? await runtime(cluster, admin, program.file('runtime'))
        : await trunnion(cluster, admin, program.program);
    const other = subjects.beside === true ? await careful(cluster, admin, log) : undefined;
    return new Bench({ cores, cluster, admin, program }, operator, other);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#admin.close();
    await this.#cluster.stop();
    this.#program.remove();
    this.#beside?.[Symbol.dispose]();
    this.#cores.release();
  }

  /** Whether the control plane has cores of its own. */
  get isApart(): boolean {
    return this.#cores.areApart;
  }

  /** @param restMs - for how long the operator is watched with everything converged, in milliseconds */
  async round(count: number, restMs = REST_MS): Promise<Round> {
    const beside = this.#beside;
    const { bareSeconds, floor, operated, other } = await inTurn((this.#rounds += 1), {
      bareSeconds: () => this.#bare(count),
      floor: () => this.#floor(count),
      operated: () => this.#lead(this.#operator, count, restMs),
      other: async () => beside && (await this.#lead(beside, count, restMs)),
    });
    const { seconds: operatorSeconds, ...cost } = operated;
    const { floorSeconds } = floor;
    return {
      count,
      bareSeconds,
      ...floor,
      operatorSeconds,
      ...(other && { beside: { ...other, ratio: other.seconds / bareSeconds } }),
      ratio: operatorSeconds / bareSeconds,
      floorRatio: floorSeconds / bareSeconds,
      timesFloor: operatorSeconds / floorSeconds,
      ...cost,
    };
  }

  async #bare(count: number): Promise<number> {
    const namespace = await this.#namespace();
    const objects = objectsOfAll(count, namespace);
    await using deployments = await Observer.of(this.#admin, TYPES.deployment, namespace, isAvailable);
    const seconds = await timed(async () => {
      await writeObjects(this.#admin, objects);
      await deployments.reached(count);
    });
    await this.#clear(namespace);
    return seconds;
  }

  async #floor(count: number): Promise<Pick<Round, 'floorSeconds' | 'floorCpuMillisecondsEach'>> {
    const namespace = await this.#namespace();
    await using deployments = await Observer.of(this.#admin, TYPES.deployment, namespace, isAvailable);
    const objects = objectsOfAll(count, namespace);
    const before = usageOf(process.pid);
    const floorSeconds = await timed(() => writeFloor(this.#admin, namespace, objects, deployments));
    const floorCpuMillisecondsEach = cpuEach(before, usageOf(process.pid), count);
    await this.#clear(namespace);
    return { floorSeconds, floorCpuMillisecondsEach };
  }

  async #lead(led: Led, count: number, restMs: number): Promise<Cost & { readonly seconds: number }> {
    const namespace = await this.#namespace();
    await using operator = await led.start(namespace);
    await operator.ready();
    await using resources = await Observer.of(this.#admin, RESOURCE, namespace, isRunning);
    const [before, from] = [operator.usage(), this.#audited];
    const seconds = await timed(async () => {
      await writeResources(this.#admin, namespace, count);
      await resources.reached(count);
    });
    await sleep(TAIL_MS);
    const after = operator.usage();
    const calls = callsOf(led.user, this.#auditLog, from);
    const rest = this.#audited;
    await sleep(restMs);
    const writesAtRest = sum(callsOf(led.user, this.#auditLog, rest));
    await this.#clear(namespace);
    return {
      seconds,
      callsEach: Object.fromEntries(Object.entries(calls).map(([word, number]) => [word, number / count])),
      writesEach: sum(calls) / count,
      cpuMillisecondsEach: cpuEach(before, after, count),
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
    await this.#admin.create(TYPES.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    // Its default service account, without which no pod is made.
    await sleep(1_000);
    return name;
  }

  /** Empties a namespace, and waits until what was in it no longer keeps the control plane busy. */
  async #clear(namespace: string): Promise<void> {
    await emptyNamespace(this.#admin, namespace, TO_CLEAR);
    for (const type of TO_CLEAR) {
      while ((await objectsIn(this.#admin, type, namespace)).length > 0) await sleep(500);
    }
  }
}

/** Milliseconds of the processor between two looks at a process, a resource. */
const cpuEach = (before: Usage, after: Usage, count: number): number =>
  ((after.cpuSeconds - before.cpuSeconds) * 1_000) / count;

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}
