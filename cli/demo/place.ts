import { startCluster, type ClusterOptions as StartOptions } from '../../cluster/index.ts';
import { connect, type ConnectionSettings, variable } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import type { Io } from '../io.ts';
import { settingsOf } from '../kube/client.ts';
import type { ClusterOptions } from '../options.ts';
import type { Cleanup } from './cleanup.ts';
import { missingForReal } from './real.ts';

/** The cluster that the demo runs on. */
export interface Place {
  readonly settings: ConnectionSettings;
  /** Whether it was started for the demo, so that all of it goes at the end. */
  readonly embedded: boolean;
  /** Whether its nodes and pods are simulated. */
  readonly simulated: boolean;
}

/** Which cluster to take. */
export interface PlaceOptions extends ClusterOptions {
  /**
   * Continues without asking.
   *
   * @default false
   */
  readonly yes?: boolean;
  /**
   * Whether pods run for real where a cluster is started: `true` says why not where they can't.
   *
   * @default - where all that it needs is there
   */
  readonly real?: boolean;
  /**
   * A file with resources to show.
   *
   * @default - our examples
   */
  readonly filename?: string;
}

/** The user's own cluster where one is named, else a cluster that is started for the demo. */
export async function choosePlace(options: PlaceOptions, io: Io, cleanup: Cleanup): Promise<Place> {
  const named = options.kubeconfig ?? options.context ?? variable('KUBECONFIG');
  if (named !== undefined) return own(options, io);
  return (await runsForReal(options, io)) ? real(io, cleanup) : simulated(io, cleanup);
}

/** @throws where the user wants it, and something is missing */
async function runsForReal({ real: wanted }: PlaceOptions, io: Io): Promise<boolean> {
  if (wanted === false) return false;
  const missing = await missingForReal({ builds: wanted === true });
  if (missing === undefined) return true;
  if (wanted === true) throw new CliError(`no model can run for real here: ${missing}`);
  io.log(`Pods are simulated. For a model that answers: ${missing}.`);
  return false;
}

async function real(io: Io, cleanup: Cleanup): Promise<Place> {
  io.log('Starting a Kubernetes control plane on this machine, with a real node.');
  return start({ nodes: 0, realNode: true }, io, cleanup);
}

async function simulated(io: Io, cleanup: Cleanup): Promise<Place> {
  io.log('Starting a Kubernetes control plane on this machine; its GPU nodes and pods are simulated.');
  return start({ nodes: 2 }, io, cleanup);
}

async function start(options: Pick<StartOptions, 'nodes' | 'realNode'>, io: Io, cleanup: Cleanup): Promise<Place> {
  const cluster = await startCluster({ ...options, log: (line) => io.log(`  ${line}`) });
  cleanup.add('stop the cluster', () => cluster.stop());
  const settings = { from: 'kubeconfig', path: cluster.kubeconfig } as const;
  return { settings, embedded: true, simulated: options.realNode !== true };
}

async function own(options: PlaceOptions, io: Io): Promise<Place> {
  const settings = settingsOf(options);
  const { url } = await connect(settings).current();
  io.log(`This runs on your cluster at ${url} (${options.context ?? 'the current context of your kubeconfig'}).`);
  io.log('It makes the namespace trunnion-demo and the CRDs of Trunnion, and removes what it made.');
  if (options.yes !== true && !(await io.confirm('Continue?'))) {
    throw new CliError('nothing was done; --yes continues without asking');
  }
  return { settings, embedded: false, simulated: false };
}
