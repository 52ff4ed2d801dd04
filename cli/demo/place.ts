import { startCluster } from '../../cluster/index.ts';
import { connect, type ConnectionSettings, variable } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import type { Io } from '../io.ts';
import { settingsOf } from '../kube/client.ts';
import type { ClusterOptions } from '../options.ts';
import type { Cleanup } from './cleanup.ts';

/** The cluster that the demo runs on. */
export interface Place {
  readonly settings: ConnectionSettings;
  /** Whether its nodes and pods are simulated, and all of it goes at the end. */
  readonly embedded: boolean;
}

/** Which cluster to take. */
export interface PlaceOptions extends ClusterOptions {
  /**
   * Continues without asking.
   *
   * @default false
   */
  readonly yes?: boolean;
}

/** The user's own cluster where one is named, else a cluster that is started for the demo. */
export async function choosePlace(options: PlaceOptions, io: Io, cleanup: Cleanup): Promise<Place> {
  const named = options.kubeconfig ?? options.context ?? variable('KUBECONFIG');
  return named === undefined ? embedded(io, cleanup) : own(options, io);
}

async function embedded(io: Io, cleanup: Cleanup): Promise<Place> {
  io.log('Starting a Kubernetes control plane on this machine; its GPU nodes and pods are simulated.');
  const cluster = await startCluster({ nodes: 2, log: (line) => io.log(`  ${line}`) });
  cleanup.add('stop the cluster', () => cluster.stop());
  return { settings: { from: 'kubeconfig', path: cluster.kubeconfig }, embedded: true };
}

async function own(options: PlaceOptions, io: Io): Promise<Place> {
  const settings = settingsOf(options);
  const { url } = await connect(settings).current();
  io.log(`This runs on your cluster at ${url} (${options.context ?? 'the current context of your kubeconfig'}).`);
  io.log('It makes the namespace trunnion-demo and the CRDs of Trunnion, and removes what it made.');
  if (options.yes !== true && !(await io.confirm('Continue?'))) {
    throw new CliError('nothing was done; --yes continues without asking');
  }
  return { settings, embedded: false };
}
