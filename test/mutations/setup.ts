import pino from 'pino';
import { onTestFinished } from 'vitest';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { installTrunnion, startOperator } from '../cluster/support/operator.ts';
import { permissiveKinds } from '../support/permissive-kinds.ts';
import { installExtensions } from '../cluster/support/other-crds.ts';
import { installPodGroups } from '../cluster/support/volcano.ts';

/**
 * Runs an operator in a cluster that has all that a spec may ask for, until the test ends.
 *
 * @returns the lines of its log that tell of errors: each of them is a failure
 */
export async function setUp(admin: KubeClient): Promise<{ readonly errors: readonly string[] }> {
  const errors: string[] = [];
  await installTrunnion(admin);
  onTestFinished(await installExtensions(admin));
  onTestFinished(await installPodGroups(admin));
  const log = pino({ level: 'error', base: null }, { write: (line: string) => void errors.push(line) });
  await startOperator(admin, undefined, { log, kinds: permissiveKinds });
  return { errors };
}
