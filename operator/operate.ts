import { createLogger, type Logger, type LogLevel, type Tracer } from './engine/telemetry/index.ts';
import { convertForOperator, type ConversionSettings } from './conversion/index.ts';
import { identityFor, MANAGED_BY_LABEL } from './engine/api/index.ts';
import type { Identity, Kind } from './engine/api/index.ts';
import { connect, defaultConnection, variable, type ConnectionSettings } from './kube/index.ts';
import { restartedWhereDeposed } from './deposed.ts';
import { runOperator } from './operator.ts';
import { untilSignalled } from './signals.ts';
import type { OperatorOptions } from './options.ts';
import { isInspected } from './runtime/index.ts';
import { settingFrom } from './settings.ts';

/** What an operator is run with. All but its name and its kinds has a default. */
export interface OperateOptions extends Partial<
  Pick<OperatorOptions, 'host' | 'podAddress' | 'recheckMs' | 'started' | 'version' | 'workers'>
> {
  /**
   * Its name, as a DNS label: of its Lease, its field manager, its requests, and the beginning of the names of its metrics.
   */
  readonly name: string;
  readonly kinds: readonly Kind[];
  /**
   * The domain of its labels, annotations and finalizers.
   *
   * @default - the group of the first kind
   */
  readonly domain?: string;
  /**
   * How to reach the API server.
   *
   * @default - by KUBECONFIG; in a pod without it by its ServiceAccount; else by ~/.kube/config
   */
  readonly connection?: ConnectionSettings;
  /**
   * The one namespace to work in.
   *
   * @default - WATCH_NAMESPACE; where that isn't set, or is empty, all namespaces
   */
  readonly namespace?: string;
  /**
   * Whether others may run as well, and one works while they stand by; with the namespace and the name of the Lease.
   *
   * @default - in a pod yes, in its own namespace, under the name of the operator; elsewhere no
   */
  readonly leaderElection?: boolean | { readonly namespace: string; readonly name?: string };
  /**
   * How it answers the API server, which has resources of kinds with several versions converted. False: not at all.
   *
   * @default - in a pod on port 9443, with a certificate of its own in the Secret NAME-conversion of its namespace;
   * elsewhere not at all
   */
  readonly conversion?: ConversionSettings | false;
  /**
   * Where `/healthz`, `/readyz` and `/metrics` are served; 0 takes any port that is free.
   *
   * @default - PORT, else 8080
   */
  readonly port?: number;
  /**
   * Its log.
   *
   * @default - JSON lines on standard error, of the level LOG_LEVEL, else info
   */
  readonly log?: Logger;
  /** @default - reconciles are not traced */
  readonly tracer?: Tracer;
  /**
   * Ends it in good order.
   *
   * @default - SIGTERM and SIGINT; a second one ends the process at once
   */
  readonly signal?: AbortSignal;
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/**
 * Runs an operator until it is told to end.
 *
 * @throws RangeError where its name or domain can't be; SettingError where a variable of the environment can't be read;
 * ConnectionError where there is no way to the API server; LeadershipLostError where it has lost its Lease, so that this
 * process has to end: as the first process of a container it is started again at once, without a new container
 */
export async function operate(options: OperateOptions): Promise<void> {
  if (isInspected(options)) return;
  const { name, kinds, domain = kinds[0]?.type.group ?? '', signal: given } = options;
  checkKinds(kinds);
  const identity = identityFor({ name, domain });
  const log = options.log ?? createLogger(settingFrom('LOG_LEVEL', 'one of ' + LEVELS.join(', '), levelOf) ?? 'info');
  const connection = options.connection ?? defaultConnection();
  // What is wrong with a kubeconfig, or with the ServiceAccount of the pod, is told before all else.
  const { namespace: own } = await connect(connection).current();
  const settings = { ...passedOn(options), ...places(options, { identity, connection, own }), log };
  const start = (signal: AbortSignal) => run({ ...settings, signal }, options, own);
  await restartedWhereDeposed(log, () =>
    given === undefined ? untilSignalled(start, (signal) => new Error(`stopped by ${signal}`)) : start(given),
  );
}

/** Whether it leads or not, it converts. */
async function run(
  operator: OperatorOptions & { readonly log: Logger },
  { conversion, name }: Pick<OperateOptions, 'conversion' | 'name'>,
  own: string,
): Promise<void> {
  const { kinds, identity, connection, log } = operator;
  const namespace = variable('POD_NAMESPACE') ?? own;
  const labels = { [MANAGED_BY_LABEL]: identity.managedBy };
  const converting = convertForOperator({ kinds, settings: conversion, connection, name, namespace, labels, log });
  try {
    await runOperator(operator);
  } finally {
    await converting?.close();
  }
}

/** What is the same for the engine. */
function passedOn({ kinds, host, podAddress, recheckMs, started, tracer, version, workers }: OperateOptions) {
  return {
    kinds,
    ...(host !== undefined && { host }),
    ...(podAddress !== undefined && { podAddress }),
    ...(recheckMs !== undefined && { recheckMs }),
    ...(started !== undefined && { started }),
    ...(tracer !== undefined && { tracer }),
    ...(version !== undefined && { version }),
    ...(workers !== undefined && { workers }),
  };
}

/** Where it works, and where it is reached. */
function places(
  { namespace = variable('WATCH_NAMESPACE'), leaderElection, port }: OperateOptions,
  {
    identity,
    connection,
    own,
  }: { readonly identity: Identity; readonly connection: ConnectionSettings; readonly own: string },
) {
  const elects = leaderElection ?? connection.from === 'cluster';
  const lease = typeof elects === 'object' ? elects : { namespace: variable('POD_NAMESPACE') ?? own };
  return {
    identity,
    connection,
    port: port ?? settingFrom('PORT', 'a port from 0 to 65535', portOf) ?? 8080,
    ...(namespace !== undefined && namespace !== '' && { namespace }),
    ...(elects !== false && { leaderElection: lease }),
  };
}

const levelOf = (text: string): LogLevel | undefined => LEVELS.find((level) => level === text);

const portOf = (text: string): number | undefined => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  return port <= 65_535 ? port : undefined;
};

/** Two kinds that make objects of the same names would take turns in making them. */
function checkKinds(kinds: readonly Kind[]): void {
  if (kinds.length === 0) throw new TypeError('kinds: must be the kinds to run, and there are none');
  const labels = kinds.map(({ label }) => label);
  const twice = labels.find((label, at) => labels.indexOf(label) !== at);
  if (twice === undefined) return;
  throw new TypeError(
    `kinds: two of them have the label ${twice}, by which children are found again: give one another label`,
  );
}
