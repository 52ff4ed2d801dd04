import { TRUNNION } from '../../operator/trunnion.ts';
import { loopbackOf } from '../../cluster/index.ts';
import { createLogger, runOperator, type LogLevel } from '../../operator/index.ts';
import { type KindSettings, kindsWith } from '../../compat/kinds/index.ts';
import { connect, variable } from '../../operator/kube/index.ts';
import { settingsOf } from '../kube/client.ts';
import type { ClusterOptions } from '../options.ts';
import { packageVersion } from '../package.ts';
import { untilEnded } from '../signals.ts';
import { listenError } from './listen.ts';
import { restartedWhereDeposed } from '../../operator/deposed.ts';

/** The options of `trunnion operator`. */
export interface OperatorFlags extends ClusterOptions {
  readonly namespace?: string;
  readonly port: number;
  readonly host?: string;
  readonly leaderElect: boolean;
  readonly leaseNamespace: string;
  readonly allowedIngressAnnotations?: readonly string[];
  readonly allowedServiceAccountAnnotations?: readonly string[];
  readonly allowedPodAnnotations?: readonly string[];
  readonly fetcherImage?: string;
  readonly logLevel: LogLevel;
  readonly traces?: boolean;
  readonly simulatedPods?: boolean;
}

/** Runs the operator until it is told to end. */
export async function operate(flags: OperatorFlags): Promise<void> {
  const { namespace, port, host, leaderElect, leaseNamespace, logLevel, simulatedPods = false } = flags;
  const version = packageVersion();
  const tracing = isTraced(flags) ? { tracer: await loadTracer(version) } : {};
  const log = createLogger(logLevel);
  // What is wrong with a kubeconfig, or with the ServiceAccount of the pod, is told before all else.
  await connect(settingsOf(flags)).current();
  const running = restartedWhereDeposed(log, () =>
    untilEnded((signal) =>
      runOperator({
        connection: settingsOf(flags),
        identity: TRUNNION,
        kinds: kindsWith({ allowedAnnotations: allowedIn(flags), fetcherImage: flags.fetcherImage }).allKinds,
        version,
        port,
        log,
        signal,
        ...tracing,
        ...(namespace === undefined ? {} : { namespace }),
        ...(host === undefined ? {} : { host }),
        ...(leaderElect ? { leaderElection: { namespace: leaseNamespace } } : {}),
        ...(simulatedPods ? { podAddress: loopbackOf } : {}),
      }),
    ),
  );
  await running.catch((error: unknown) => {
    throw listenError(error, flags) ?? error;
  });
}

const allowedIn = (flags: OperatorFlags): NonNullable<KindSettings['allowedAnnotations']> => {
  const { allowedIngressAnnotations, allowedServiceAccountAnnotations, allowedPodAnnotations } = flags;
  return {
    ...(allowedIngressAnnotations && { ingress: allowedIngressAnnotations }),
    ...(allowedServiceAccountAnnotations && { serviceAccount: allowedServiceAccountAnnotations }),
    ...(allowedPodAnnotations && { pod: allowedPodAnnotations }),
  };
};

/** OpenTelemetry's own variables ask for traces as well, so that a pod needs no other argument. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

const isTraced = ({ traces = false }: OperatorFlags): boolean =>
  variable('OTEL_SDK_DISABLED') !== 'true' && (traces || ENDPOINTS.some((name) => variable(name) !== undefined));

/** OpenTelemetry is loaded only where it is asked for: it takes memory that the operator does not have to spend. */
const loadTracer = async (version: string) => (await import('../../operator/tracing/otlp.ts')).otlpTracer(version);
