import { install } from '../cli/install.ts';
import { OPERATOR_NAMESPACE } from '../cli/options.ts';
import type { Cluster } from '../cluster/index.ts';
import type { KubeClient } from '../operator/kube/index.ts';
import { OPERATOR_NAME } from '../operator/rbac.ts';
import { OperatorProcess } from '../test/support/operator-process.ts';
import type { Led } from './led.ts';

/**
 * Trunnion's operator: a process of its own, with the rights that ship.
 *
 * @param program - what its image runs: see build.ts
 */
export async function trunnion(cluster: Cluster, admin: KubeClient, program: string): Promise<Led> {
  await install(admin, { namespace: OPERATOR_NAMESPACE, operator: false }, () => undefined);
  const token = await cluster.serviceAccountToken(OPERATOR_NAMESPACE, OPERATOR_NAME);
  const { url, ca } = cluster;
  return {
    user: `system:serviceaccount:${OPERATOR_NAMESPACE}:${OPERATOR_NAME}`,
    start: (namespace) => {
      const args = ['--namespace', namespace, '--log-level', 'error'];
      return OperatorProcess.start({ url, ca, token, args, program });
    },
  };
}
