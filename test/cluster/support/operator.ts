import { TRUNNION } from '../../../operator/trunnion.ts';
import { onTestFinished } from 'vitest';
import { loopbackOf } from '../../../cluster/index.ts';
import { install, type InstallOptions } from '../../../cli/install.ts';
import { OPERATOR_NAMESPACE } from '../../../cli/options.ts';
import { createLogger } from '../../../operator/engine/telemetry/log.ts';
import { kinds } from '../../../compat/kinds/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { runOperator } from '../../../operator/operator.ts';
import type { OperatorOptions } from '../../../operator/options.ts';
import { OPERATOR_NAME, rbac } from '../../../operator/rbac.ts';
import { serviceAccountToken } from './client.ts';
import { cluster } from './cluster.ts';

/** Who the operator is to the API server. */
export const OPERATOR_USER = `system:serviceaccount:${OPERATOR_NAMESPACE}:${OPERATOR_NAME}`;

/** An operator that a test has started. */
export interface RunningOperator {
  /** Of its probes and metrics, on 127.0.0.1. */
  readonly port: number;
  stop(): Promise<void>;
}

const running = new Set<RunningOperator['stop']>();

/** Installs the CRDs and the operator's account with the rights that ship, as `trunnion install` does. */
export async function installTrunnion(admin: KubeClient, options: Pick<InstallOptions, 'compat'> = {}): Promise<void> {
  await install(admin, { namespace: OPERATOR_NAMESPACE, operator: false, ...options }, () => undefined);
}

/**
 * Makes an account in a namespace with the rights for that one alone, its Lease too: the `account` of an operator.
 *
 * @returns what was made
 */
export async function installIn(admin: KubeClient, namespace: string): Promise<ReturnType<typeof rbac>> {
  const manifests = rbac({ kinds, namespace, watchNamespace: namespace });
  for (const manifest of manifests) {
    const plural = `${manifest.kind.toLowerCase()}s`;
    const group = manifest.apiVersion.split('/').length > 1 ? 'rbac.authorization.k8s.io' : '';
    await admin.create({ group, version: 'v1', kind: manifest.kind, plural }, manifest);
  }
  return manifests;
}

/** What a test may want otherwise. */
export interface OperatorUnderTest extends Pick<OperatorOptions, 'leaderElection' | 'log' | 'recheckMs'> {
  /** @default - those of our own */
  readonly kinds?: OperatorOptions['kinds'];
  /**
   * Where it finds the API server: a proxy.
   *
   * @default - the API server itself
   */
  readonly url?: string;
  /**
   * The namespace of its ServiceAccount.
   *
   * @default OPERATOR_NAMESPACE
   */
  readonly account?: string;
}

/**
 * Runs the operator until the test ends, under exactly the rights that ship.
 *
 * @param namespace - the one to work in; undefined for all of them
 * @returns once its caches are complete
 */
export async function startOperator(
  admin: KubeClient,
  namespace: string | undefined,
  { url = cluster().url, account = OPERATOR_NAMESPACE, ...options }: OperatorUnderTest = {},
): Promise<RunningOperator> {
  const { ca } = cluster();
  const token = await serviceAccountToken(admin, account, OPERATOR_NAME);
  const end = new AbortController();
  const { promise: started, resolve, reject } = Promise.withResolvers<number>();
  const ended = runOperator({
    connection: { from: 'fixed', connection: { url, ca, authorization: `Bearer ${token}`, namespace: 'default' } },
    identity: TRUNNION,
    kinds,
    ...(namespace !== undefined && { namespace }),
    port: 0,
    host: '127.0.0.1',
    podAddress: loopbackOf,
    log: createLogger('error'),
    signal: end.signal,
    started: resolve,
    ...options,
  });
  ended.catch(reject);
  const stop = async (): Promise<void> => {
    running.delete(stop);
    end.abort();
    await ended;
  };
  running.add(stop);
  onTestFinished(stop);
  return { port: await started, stop };
}

/** Stops every operator of this file, as a crash of all of them would leave the cluster. */
export async function stopOperators(): Promise<void> {
  await Promise.all([...running].map((stop) => stop()));
}
