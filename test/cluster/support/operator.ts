import { inject, onTestFinished } from 'vitest';
import { loopbackOf } from '../../../cluster/index.ts';
import { install, OPERATOR_NAMESPACE } from '../../../cli/install.ts';
import { createLogger } from '../../../operator/engine/log.ts';
import { kinds } from '../../../operator/kinds/index.ts';
import type { KubeClient } from '../../../operator/kube/client.ts';
import { runOperator } from '../../../operator/operator.ts';
import { OPERATOR_NAME } from '../../../operator/rbac.ts';
import { serviceAccountToken } from './client.ts';

/** Who the operator is to the API server. */
export const OPERATOR_USER = `system:serviceaccount:${OPERATOR_NAMESPACE}:${OPERATOR_NAME}`;

/** An operator that a test has started. */
export interface RunningOperator {
  stop(): Promise<void>;
}

const running = new Set<RunningOperator>();

/** Installs the CRDs and the operator's account with the rights that ship, as `trunnion install` does. */
export async function installTrunnion(admin: KubeClient): Promise<void> {
  await install(admin, { namespace: OPERATOR_NAMESPACE }, () => undefined);
}

/**
 * Runs the operator on one namespace until the test ends, under exactly the rights that ship.
 *
 * @returns once its caches are complete
 */
export async function startOperator(admin: KubeClient, namespace: string): Promise<RunningOperator> {
  const { url, ca } = inject('cluster');
  const token = await serviceAccountToken(admin, OPERATOR_NAMESPACE, OPERATOR_NAME);
  const end = new AbortController();
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const ended = runOperator({
    connection: { from: 'fixed', connection: { url, ca, authorization: `Bearer ${token}`, namespace: 'default' } },
    kinds,
    namespace,
    port: 0,
    host: '127.0.0.1',
    podAddress: loopbackOf,
    log: createLogger('error'),
    signal: end.signal,
    started: () => resolve(),
  });
  ended.catch(reject);
  const operator: RunningOperator = {
    stop: async () => {
      running.delete(operator);
      end.abort();
      await ended;
    },
  };
  running.add(operator);
  onTestFinished(() => operator.stop());
  await ready;
  return operator;
}

/** Stops every operator of this file, as a crash of all of them would leave the cluster. */
export async function stopOperators(): Promise<void> {
  await Promise.all([...running].map((operator) => operator.stop()));
}
