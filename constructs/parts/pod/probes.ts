import type { Probe } from '../objects/index.ts';
import { parseQuantity } from '../values/index.ts';

const MIB = 1024 ** 2;

/**
 * Bytes a second that a server is sure to load: well below the 125 MiB/s that the slowest common network disk (AWS gp3
 * without extra throughput) gives, since several replicas may share it.
 */
const LOAD_RATE = 50 * MIB;

/** Bytes a second that a fetch is sure to get. */
const FETCH_RATE = 25 * MIB;

/** What a server does beside loading: starts processes, compiles kernels, captures graphs, warms up. */
const WARM_UP_SECONDS = 600;

/** What a node does before a container runs: it pulls an image of 10 GiB or more, and attaches volumes. */
export const PULL_SECONDS = 900;

/** Stands in for the size of a model that lies on no volume of ours. */
const UNKNOWN_SIZE = '100Gi';

/** As large as any model that is served today: 1 trillion parameters of 8 bits. */
const LARGEST_SIZE = '1Ti';

/** How often the startup probe asks, in seconds. */
const STARTUP_PERIOD = 10;

const bytes = (size: string | number): number => Number(parseQuantity(String(size))?.nanos ?? 0n) / 1e9;

/** Seconds that a model takes to be loaded, and to answer: 600 + size ÷ 50 MiB/s. */
const loadBudget = (size: string | number): number => WARM_UP_SECONDS + Math.ceil(bytes(size) / LOAD_RATE);

/**
 * Seconds that a server has to load a model and to answer. It is the same for every model: as it is part of the pod, a
 * volume that grows would restart every server otherwise. A server that crashes is seen at once, and a rollout that
 * hangs when {@link rolloutBudget} is over; this bounds one that hangs later.
 */
export const STARTUP_BUDGET = loadBudget(LARGEST_SIZE);

/** Seconds that a fetch of a model may take: size ÷ 25 MiB/s. */
export const fetchBudget = (size: string | number): number => Math.ceil(bytes(size) / FETCH_RATE);

/**
 * Seconds without progress after which a rollout counts as stuck: pull, fetch, load and warm up, each at its worst. The
 * fetch is in it even where a Job does it, since a server may wait for that Job.
 */
export const rolloutBudget = (size?: string | number): number =>
  PULL_SECONDS + loadBudget(size ?? UNKNOWN_SIZE) + (size === undefined ? 0 : fetchBudget(size));

/** What a probe asks: a path over HTTP, or only that the port accepts connections. */
export type ProbeAction = Pick<Probe, 'httpGet' | 'tcpSocket'>;

/** The three probes of a server. */
export interface Probes {
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}

/**
 * Seconds that a loaded server has to answer a probe. A saturated vLLM misses many checks of a second; with all replicas
 * out of the Service nobody is served at all. llm-d's guides use these numbers for vLLM (15 s, 10 failures).
 */
const ANSWER_SECONDS = 15;
const FAILURES = 10;

/**
 * Seconds that a server has to end which its probes have given up. Else it would have those of a drain, for which the hook
 * waits as long as its requests don't end, and those of a server that hangs never do: with a drain of an hour it would stand
 * still for an hour more (Kubernetes 1.36: `setTerminationGracePeriod` in pkg/kubelet/kuberuntime/kuberuntime_container.go).
 */
const GIVEN_UP_SECONDS = 30;

/**
 * The probes of a server that loads for a long time, and that answers late under load.
 *
 * - startup: every 10 s, for as long as the budget lasts; until then no other probe runs
 * - readiness: leaves the Service 50 s after it began to refuse, 150 s after it began to hang; comes back at once. A
 *   container that ends leaves it at once, whatever the probe says
 * - liveness: restarted only after 300 s of silence, since a restart loads the model again; it then has 30 s to end
 */
export function probes(ready: ProbeAction, alive: ProbeAction, budgetSeconds: number): Probes {
  return {
    startupProbe: {
      ...ready,
      periodSeconds: STARTUP_PERIOD,
      timeoutSeconds: 5,
      failureThreshold: Math.ceil(budgetSeconds / STARTUP_PERIOD),
      terminationGracePeriodSeconds: GIVEN_UP_SECONDS,
    },
    readinessProbe: { ...ready, periodSeconds: 5, timeoutSeconds: ANSWER_SECONDS, failureThreshold: FAILURES },
    livenessProbe: {
      ...alive,
      periodSeconds: 10,
      timeoutSeconds: 2 * ANSWER_SECONDS,
      failureThreshold: FAILURES,
      terminationGracePeriodSeconds: GIVEN_UP_SECONDS,
    },
  };
}
