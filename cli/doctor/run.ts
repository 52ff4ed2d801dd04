import { CliError } from '../errors.ts';
import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import type { ClusterOptions, Format } from '../options.ts';
import { formatted } from '../output.ts';
import { check } from './checks/index.ts';
import { observeCluster } from './observe.ts';
import { checksText } from './print.ts';

/** The options of `trunnion doctor`. */
export interface DoctorOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly operatorNamespace: string;
  readonly output: Format;
}

/**
 * Tells what is missing in a cluster.
 *
 * @throws CliError where something is that nothing works without
 */
export async function runDoctor(io: Io, options: DoctorOptions): Promise<void> {
  const { operatorNamespace, output } = options;
  const namespace = await namespaceOf(options);
  const checks = await withClient(settingsOf(options), async (client) =>
    check(await observeCluster(client, { namespace, operatorNamespace })),
  );
  io.out(formatted(output, checks, () => checksText(checks, io)));
  const failed = checks.filter(({ verdict }) => verdict === 'fail').length;
  if (failed > 0) throw new CliError(`${failed} of ${checks.length} checks failed`);
}
