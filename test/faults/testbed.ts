import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf, startCluster } from '../../cluster/index.ts';
import { install } from '../../cli/install.ts';
import { OPERATOR_NAMESPACE } from '../../cli/options.ts';
import { OPERATOR_NAME } from '../../operator/rbac.ts';
import { issueToken } from '../../testing/faults/testbed.ts';
import type { OperatorProgram, Testbed } from '../../testing/faults/world.ts';
import { clientOf } from '../support/client.ts';
import type { StartController } from '../support/controllers-setup.ts';

const fileOf = (name: string): string => new URL(name, import.meta.url).pathname;

/**
 * The operator as it is deployed.
 *
 * @param bug - name of a planted bug: see bugs.ts
 */
export const operatorProgram = (bug?: string): OperatorProgram => ({
  launch: ({ directory, proxyPort, namespace }) => ({
    command: [
      process.execPath,
      ...(bug === undefined ? [] : ['--import', fileOf('plant.ts')]),
      fileOf('operator.ts'),
      directory,
      proxyPort,
      namespace,
    ],
    env: {
      TRUNNION_TEST_BUG: bug ?? '',
      // Compiled once for all restarts.
      NODE_COMPILE_CACHE: join(tmpdir(), 'trunnion-compiled'),
    },
  }),
  rereadsToken: true,
});

/**
 * A control plane with the CRDs and the operator's account, for as many worlds as are wanted.
 *
 * @param beside - another project's controller; left out: there is none
 */
export async function openTestbed(
  log: (line: string) => void,
  beside?: StartController,
): Promise<Testbed & AsyncDisposable> {
  const cluster = await startCluster({ nodes: 16, pace: 0.1, log });
  const program = await beside?.(cluster, log);
  const { url, ca } = cluster;
  const client = clientOf(cluster, 'campaign');
  await install(client, { namespace: OPERATOR_NAMESPACE, operator: false }, () => undefined);
  return {
    url,
    ca,
    client,
    servingKey: readFileSync(filesOf(cluster.dir).servingKey, 'utf8'),
    operator: operatorProgram(),
    issueToken: () => issueToken(client, { namespace: OPERATOR_NAMESPACE, name: OPERATOR_NAME }),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await program?.stop(5_000);
      await cluster.stop();
    },
  };
}
