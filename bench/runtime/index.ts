import { install } from '../../cli/install.ts';
import { apply } from '../../cli/kube/apply.ts';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import type { Cluster } from '../../cluster/index.ts';
import { identityFor } from '../../operator/index.ts';
import { rbac } from '../../operator/rbac.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { OperatorProcess } from '../../test/support/operator-process.ts';
import type { Led } from '../led.ts';
import { Agent } from './kind.ts';

const NAME = 'bench-operator';

/** Which program of the build it is. */
export const PROGRAM = { runtime: 'bench/runtime/main.ts' };

/** An operator that is built by `defineKind` and `operate`: a process of its own, under the rights that its kind takes. */
export async function runtime(cluster: Cluster, admin: KubeClient, program: string): Promise<Led> {
  // Its resources are those of the other subjects.
  await install(admin, { namespace: OPERATOR_NAMESPACE, operator: false }, () => undefined);
  const identity = identityFor({ name: NAME, domain: 'bench.example.com' });
  await apply(admin, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAME } }, NAME);
  for (const object of rbac({ kinds: [Agent], identity, namespace: NAME })) await apply(admin, object, NAME);
  const token = await cluster.serviceAccountToken(NAME, NAME);
  const { url, ca } = cluster;
  return {
    user: `system:serviceaccount:${NAME}:${NAME}`,
    start: (namespace) => OperatorProcess.start({ url, ca, token, args: ['--namespace', namespace], program }),
  };
}
