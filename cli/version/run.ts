import { describe } from '../errors.ts';
import type { Io } from '../io.ts';
import { settingsOf, withClient } from '../kube/client.ts';
import type { ClusterOptions, Format } from '../options.ts';
import { formatted } from '../output.ts';
import { packageVersion } from '../package.ts';
import { clusterVersions } from './observe.ts';
import { versionsText } from './print.ts';
import type { Asked, ClusterVersions } from './types.ts';

/** The options of `trunnion version`. */
export interface VersionOptions extends ClusterOptions {
  readonly client?: boolean;
  readonly operatorNamespace: string;
  readonly output: Format;
}

/** Prints the versions that there are. What was asked for was said, so a cluster that does not answer is no failure. */
export async function runVersion(io: Io, options: VersionOptions): Promise<void> {
  const { client: isClientAlone = false, operatorNamespace, output } = options;
  const cluster = isClientAlone ? undefined : await asked(options);
  const versions = { client: packageVersion(), ...(cluster && { cluster }) };
  io.out(formatted(output, versions, () => versionsText(versions, operatorNamespace)));
  if (cluster?.known === false) io.log(`The cluster was not asked: ${cluster.because}`);
}

async function asked(options: VersionOptions): Promise<Asked<ClusterVersions>> {
  try {
    const ask = async () =>
      withClient(settingsOf(options), (client) => clusterVersions(client, options.operatorNamespace));
    return { known: true, value: await ask() };
  } catch (error) {
    return { known: false, because: describe(error) };
  }
}
