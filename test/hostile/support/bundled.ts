import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { OPERATOR_NAMESPACE } from '../../../cli/options.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { OPERATOR_NAME } from '../../../operator/rbac.ts';
import { bundle } from '../../../scripts/image/bundle.ts';
import { OperatorProcess } from '../../support/operator-process.ts';
import { serviceAccountToken } from '../../cluster/support/client.ts';
import { cluster } from '../../cluster/support/cluster.ts';

/**
 * Runs the operator as its image does, until the test ends: bundled, with the image's own flags and variables, and under
 * the rights that ship. Pods are reached on the loopback.
 *
 * @returns once its caches are complete
 */
export async function startBundledOperator(admin: KubeClient): Promise<OperatorProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-bundled-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await bundle(join(folder, 'bin'));
  copyFileSync(new URL('../../../package.json', import.meta.url).pathname, join(folder, 'package.json'));
  const { url, ca } = cluster();
  const operator = await OperatorProcess.start({
    url,
    ca,
    token: await serviceAccountToken(admin, OPERATOR_NAMESPACE, OPERATOR_NAME),
    program: join(folder, 'bin/operator.js'),
    args: ['--simulated-pods', '--log-level', 'error'],
    env: { NODE_ENV: 'production' },
  });
  onTestFinished(() => operator[Symbol.asyncDispose]());
  await operator.ready();
  return operator;
}
