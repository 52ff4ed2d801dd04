import { loopbackOf } from '../../cluster/index.ts';
import { allKinds, createLogger, runOperator } from '../../operator/index.ts';
import type { OperatorFlags } from '../commands/operator.ts';
import { settingsOf } from '../kube/client.ts';
import { packageVersion } from '../package.ts';
import { untilEnded } from '../signals.ts';

/** Runs the operator until it is told to end. */
export async function operate(flags: OperatorFlags): Promise<void> {
  const { namespace, port, host, leaderElect, leaseNamespace, logLevel, simulatedPods = false } = flags;
  await untilEnded((signal) =>
    runOperator({
      connection: settingsOf(flags),
      kinds: allKinds,
      version: packageVersion(),
      port,
      log: createLogger(logLevel),
      signal,
      ...(namespace === undefined ? {} : { namespace }),
      ...(host === undefined ? {} : { host }),
      ...(leaderElect ? { leaderElection: { namespace: leaseNamespace } } : {}),
      ...(simulatedPods ? { podAddress: loopbackOf } : {}),
    }),
  );
}
