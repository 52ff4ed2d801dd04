import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { serviceAccountToken } from '../../cluster/support/client.ts';
import { cluster } from '../../cluster/support/cluster.ts';
import { OperatorProcess } from '../../support/operator-process.ts';

interface PodSpec {
  readonly serviceAccountName: string;
  readonly containers: readonly { readonly args: readonly string[] }[];
}

/** The operator's program, as the image has it. */
export const PROGRAM = 'trunnion/bin/operator.js';

/**
 * Runs what a pod of the installed Deployment would run, since pods are simulated here: the image's program with the
 * Deployment's arguments, as its ServiceAccount. Only its port is another, since more than one runs on this machine.
 *
 * @returns once its caches are complete
 */
export async function startPod(
  admin: KubeClient,
  namespace: string,
  program = join(inject('install').root, PROGRAM),
): Promise<OperatorProcess> {
  const deployment = await admin.get(TYPES.deployment, { namespace, name: 'trunnion-operator' });
  const { template } = deployment['spec'] as { readonly template: { readonly spec: PodSpec } };
  const { serviceAccountName, containers } = template.spec;
  const [verb, ...args] = (containers[0]?.args ?? []).map((arg) => arg.replace('$(POD_NAMESPACE)', namespace));
  if (verb !== 'operator') throw new Error(`the Deployment runs ${verb}, which is no operator`);
  const { url, ca } = cluster();
  const pod = await OperatorProcess.start({
    url,
    ca,
    token: await serviceAccountToken(admin, namespace, serviceAccountName),
    program,
    args: args.filter((arg) => !arg.startsWith('--port=')),
    env: { POD_NAMESPACE: namespace, TRUNNION_TEST_POD_LOOPBACK: 'true' },
  });
  onTestFinished(() => pod[Symbol.asyncDispose]());
  await pod.ready();
  return pod;
}

/** Ends it as the kubelet does, and waits. */
export async function endPod(pod: OperatorProcess): Promise<void> {
  pod.signal('SIGTERM');
  const { code } = await pod.ended;
  if (code !== 0) throw new Error(`the operator ended with exit code ${code}:\n${pod.words()}`);
}
