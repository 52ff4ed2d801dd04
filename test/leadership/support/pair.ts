import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { install } from '../../../cli/install.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { OPERATOR_NAME } from '../../../operator/rbac.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { ServingUnderTest } from '../../cluster/support/serving.ts';
import { FaultProxy } from '../../../testing/faults/proxy/proxy.ts';
import { OperatorProcess } from '../../support/operator-process.ts';
import type { Testbed } from './testbed.ts';
import { type Act, credentialOf, type Term, termsOf, writesOutOfTerm } from './history.ts';

/** With TRUNNION_TEST_BUG in the environment, a bug is planted that these tests must find: see test/faults/bugs.ts. */
const PRELOADS = [
  new URL('busy.ts', import.meta.url),
  ...(process.env['TRUNNION_TEST_BUG'] === undefined ? [] : [new URL('../../faults/plant.ts', import.meta.url)]),
];
/** Between two changes of the resource: at any time a leader has something to write. */
const UNREST_MS = 300;

/** An operator, its way to the API server, and how it is known there. */
export interface Candidate {
  readonly proxy: FaultProxy;
  readonly operator: OperatorProcess;
  readonly credential: string;
}

/** Two operators that compete for one Lease, and a resource that changes all the time, so that the leader is never idle. */
export class Pair implements AsyncDisposable {
  readonly namespace: string;
  readonly leader: Candidate;
  readonly standby: Candidate;
  readonly serving: ServingUnderTest;
  readonly #testbed: Testbed;
  readonly #rest = new AbortController();
  readonly #unrest: Promise<void>;
  #round = 0;

  private constructor(testbed: Testbed, namespace: string, leader: Candidate, standby: Candidate) {
    this.#testbed = testbed;
    this.namespace = namespace;
    this.leader = leader;
    this.standby = standby;
    this.serving = new ServingUnderTest(testbed.admin, namespace);
    this.#unrest = this.#disturb();
  }

  /** @returns once one leads and works, and the other stands by: it knows the Lease, and its caches are complete */
  static async start(testbed: Testbed, env: Readonly<Record<string, string>> = {}): Promise<Pair> {
    const namespace = `pair-${randomBytes(4).toString('hex')}`;
    await install(testbed.admin, { namespace, watchNamespace: namespace, operator: false }, () => undefined);
    const leader = await candidate(testbed, namespace, env);
    await leader.operator.ready();
    const standby = await candidate(testbed, namespace, env);
    await standby.operator.ready();
    await eventually(() => {
      if (!hasSeenLease(standby)) throw new Error(`the standby does not look:\n${standby.operator.words()}`);
    });
    const pair = new Pair(testbed, namespace, leader, standby);
    await eventually(() => {
      if (pair.lastActOf(leader) === undefined) throw new Error(`the leader does nothing:\n${leader.operator.words()}`);
    });
    return pair;
  }

  get acts(): readonly Act[] {
    return this.#testbed.auditLog.actsIn(this.namespace);
  }

  get terms(): readonly Term[] {
    return termsOf(this.acts);
  }

  get writesOutOfTerm(): readonly Act[] {
    return writesOutOfTerm(this.acts);
  }

  /** The last write of a candidate, renewals aside. */
  lastActOf({ credential }: Candidate): Act | undefined {
    return this.acts.findLast(({ by, resource }) => by === credential && resource !== 'leases');
  }

  /** The last renewal of a candidate that the server took. */
  lastRenewalOf({ credential }: Candidate): Act | undefined {
    return this.acts.findLast(({ by, resource }) => by === credential && resource === 'leases');
  }

  /** Waits until the other one has taken the Lease and works. */
  async takenOver(timeout = 30_000): Promise<{ readonly lease: number; readonly work: number }> {
    const { credential } = this.standby;
    return eventually(
      () => {
        const lease = this.terms.find(({ by }) => by === credential)?.from;
        const work = this.acts.find(
          ({ by, resource }) => by === credential && resource === 'serviceaccounts',
        )?.answered;
        if (lease === undefined || work === undefined) {
          throw new Error(`nobody took over:\n${this.standby.operator.words()}`);
        }
        return { lease, work };
      },
      { timeout },
    );
  }

  lease(): Promise<KubeObject> {
    return this.#testbed.admin.get(TYPES.lease, this.#leaseRef);
  }

  async deleteLease(): Promise<void> {
    await this.#testbed.admin.delete(TYPES.lease, this.#leaseRef);
  }

  async editLease(spec: object): Promise<void> {
    await this.#testbed.admin.patch(TYPES.lease, this.#leaseRef, { spec });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#rest.abort();
    await this.#unrest;
    for (const { operator, proxy } of [this.leader, this.standby]) {
      await operator[Symbol.asyncDispose]();
      await proxy.stop();
    }
    await this.#testbed.admin.delete(TYPES.namespace, { name: this.namespace });
  }

  get #leaseRef() {
    return { namespace: this.namespace, name: OPERATOR_NAME };
  }

  async #disturb(): Promise<void> {
    const { signal } = this.#rest;
    while (!signal.aborted) {
      this.#round += 1;
      await this.serving.apply({
        model: { uri: 'pvc://weights/llama' },
        engine: { type: 'vllm' },
        resources: { gpu: 0, cpu: '100m', memory: '64Mi' },
        replicas: 0,
        serviceAccount: { annotations: { 'eks.amazonaws.com/token-expiration': `${this.#round}` } },
      });
      await sleep(UNREST_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** One that has seen none takes a Lease that is gone, as at the very first start. */
const hasSeenLease = ({ proxy }: Candidate): boolean =>
  proxy.log.some(({ exchange, status }) => exchange.resource === 'leases' && status === 200);

async function candidate(
  testbed: Testbed,
  namespace: string,
  env: Readonly<Record<string, string>>,
): Promise<Candidate> {
  const { url, ca } = testbed.cluster;
  const proxy = await FaultProxy.start({ upstream: { url, ca }, tls: { cert: ca, key: testbed.servingKey } });
  const token = await testbed.cluster.serviceAccountToken(namespace, OPERATOR_NAME);
  const operator = await OperatorProcess.start({
    url: proxy.url,
    ca,
    token,
    args: ['--namespace', namespace, '--leader-elect', '--lease-namespace', namespace],
    node: PRELOADS.flatMap(({ href }) => ['--import', href]),
    env,
  });
  return { proxy, operator, credential: credentialOf(token) };
}
