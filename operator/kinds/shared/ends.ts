import { instant } from '../../engine/api/index.ts';
import type { Query, Answer, Snapshot, ContainerEnd, ObservedContainer, ObservedPod } from '../../engine/api/index.ts';
import type { Diagnosis } from './diagnosis-text.ts';
import { withLastWords } from './last-words.ts';

/** The codes that tell SIGKILL and SIGTERM, by which a kubelet stops a container; so may anybody else. */
const STOPPED: ReadonlySet<number> = new Set([137, 143]);

/** The first code of those that tell the signal that ended a process. */
const SIGNALS = 128;
const SIGNAL_NAMES: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};

/**
 * A container that ends within so long of its start, and not for the first time, is in a loop. So the kubelet sees it: it
 * forgets a back-off after twice the longest (Kubernetes 1.36: `MaxCrashLoopBackOff`, 5 min, in pkg/kubelet/kubelet.go, and
 * `hasExpired` in client-go's util/flowcontrol/backoff.go).
 */
const LOOP_MS = 600_000;

/** Lines of a log that tell why it ended, how often they are looked for, and most characters of them. */
const WORDS_LINES = 10;
const WORDS_SECONDS = 600;
const LONGEST_WORDS = 500;

/** How the last run of a container ended that has not been ready since. */
interface LastRun {
  readonly end: ContainerEnd;
  /** Whether its pod was ready in that run. */
  readonly served: boolean;
  /** Seconds in which it failed its readiness probe, before it ended; 0 where it ended by itself. */
  readonly silentSeconds: number;
  /** How long it ran, in milliseconds; undefined where nobody tells. */
  readonly ms: number | undefined;
  /** Whether it ends again and again. */
  readonly looping: boolean;
}

/**
 * What the end of a container means that is not ready. A server is to run on, so that any end is a failure, one with exit
 * code 0 too.
 *
 * | It was ready in its last run | It ends again and again | Means |
 * |---|---|---|
 * | no | | a failure until it is ready: else a crash loop would look well between two crashes |
 * | yes | no | it heals by itself, and is told |
 * | yes | yes | a failure |
 *
 * Ready in the run that continues now, it is over what ended before: what it suffers from now is another matter.
 */
export function diagnoseEnd(
  pod: ObservedPod,
  container: ObservedContainer,
  answers: Snapshot['answers'] = {},
): Diagnosis | undefined {
  const run = lastRun(pod, container);
  if (run === undefined) return undefined;
  const { name } = container;
  const { end, served, looping, silentSeconds } = run;
  const words = withLastWords(end.message.trim() === '' ? logOf(answers[queryId(pod, container)]) : end.message);
  const stuck = !served || looping;
  if (end.reason === 'OOMKilled') {
    const again = stuck ? '' : ' It is started again.';
    const message = `Container ${name} was OOM-killed (exit code ${end.exitCode}).${again} Raise resources.memory, or let it need less.`;
    return { reason: 'OutOfMemory', message, stuck };
  }
  if (wasTooSlow(container, run)) {
    const message = `Container ${name} was stopped (exit code ${end.exitCode}) since it did not become ready within its startup budget${words}. Read its log for what takes so long.`;
    return { reason: 'NeverReady', message, stuck: true };
  }
  const unanswering = silentSeconds === 0 ? '' : ` and had then failed its readiness probe for ${silentSeconds} s`;
  const log = `Read the log of its last run: kubectl logs --previous -c ${name}.`;
  if (!stuck) {
    const message = `Container ${name} ended with ${codeOf(end)} after it had been ready${unanswering}, and is started again${words}. ${log}`;
    return { reason: 'Restarting', message, stuck: false };
  }
  const between = served ? `, again and again${unanswering && `: it had been ready${unanswering}`}` : '';
  const still = end.exitCode === 0 ? ' It is to run until it is stopped.' : '';
  const message = `Container ${name} ends with ${codeOf(end)}${between}${words}.${still} ${log}`;
  return { reason: 'CrashLoop', message, stuck: true };
}

/**
 * Asks for the log of a container that ended with exit code 0, though it is to run: a kubelet keeps the last words of
 * those alone that end with another (`FallbackToLogsOnError`).
 */
export const lastWordsQueries = (pods: readonly ObservedPod[]): readonly Query[] =>
  pods
    .flatMap((pod) => pod.containers.filter(isSilent).map((container) => ({ pod, container })))
    .slice(0, 1)
    .map(({ pod, container }) => ({
      id: queryId(pod, container),
      type: 'podLog',
      pod: pod.name,
      container: container.name,
      tailLines: WORDS_LINES,
      previous: true,
      everySeconds: WORDS_SECONDS,
    }));

const isSilent = (container: ObservedContainer): boolean => unwantedEnd(container)?.message.trim() === '';

/** Of each run again. */
const queryId = ({ uid }: ObservedPod, { name, lastTerminated }: ObservedContainer): string =>
  `lastWords/${uid}/${name}/${lastTerminated?.finishedAt ?? ''}`;

/** The end of a log tells most. */
const logOf = (answer: Answer | undefined): string =>
  answer?.type === 'podLog' ? answer.text.slice(-LONGEST_WORDS) : '';

/** How a container last ended badly, unless it has become ready since. */
export function lastFailure(container: ObservedContainer): ContainerEnd | undefined {
  if (container.ready) return undefined;
  const end = container.terminated ?? container.lastTerminated;
  return end !== undefined && end.exitCode !== 0 ? end : undefined;
}

function lastRun(pod: ObservedPod, container: ObservedContainer): LastRun | undefined {
  const end = lastFailure(container) ?? unwantedEnd(container);
  if (end === undefined || wasReadySince(pod, container.running?.startedAt)) return undefined;
  const startedAt = instant(end.startedAt);
  const finishedAt = instant(end.finishedAt);
  const ms = startedAt === undefined || finishedAt === undefined ? undefined : finishedAt - startedAt;
  const ends = container.restarts + (container.running ? 0 : 1);
  const served = wasReadySince(pod, end.startedAt);
  // What becomes unready by its end does so after it. Beside others, one of those may have made the pod unready.
  const isAlone = pod.containers.every(({ name, init }) => init || name === container.name);
  const silentMs = served && isAlone && finishedAt !== undefined ? finishedAt - (pod.unreadySince ?? finishedAt) : 0;
  const backsOff = container.waiting?.reason === 'CrashLoopBackOff';
  return {
    end,
    served,
    silentSeconds: Math.max(0, Math.floor(silentMs / 1000)),
    ms,
    looping: backsOff || (ends > 1 && ms !== undefined && ms < LOOP_MS),
  };
}

/**
 * An end with exit code 0 of a container that is started again each time. One that is not, as in a Job, has done its work;
 * an init container too, and it runs again where its pod has lost its place; not so a native sidecar.
 */
const unwantedEnd = ({ init, sidecar, ready, lastTerminated }: ObservedContainer): ContainerEnd | undefined =>
  (init && sidecar !== true) || ready || lastTerminated?.exitCode !== 0 ? undefined : lastTerminated;

/** Whether a pod was ready after a time, and is not any more: its readiness changed then for the last time. */
export const wasReadySince = ({ unreadySince }: ObservedPod, startedAt: string | undefined): boolean =>
  unreadySince !== undefined && unreadySince > (instant(startedAt) ?? Infinity);

/**
 * Whether the kubelet stopped it since its startup probe failed for too long. How it ends then is its own matter: many
 * servers end with 0 when they are told to.
 */
function wasTooSlow({ started, startupSeconds }: ObservedContainer, { end, served, ms }: LastRun): boolean {
  if (served || startupSeconds === undefined) return false;
  if (ms === undefined) return STOPPED.has(end.exitCode) && !started;
  return ms >= startupSeconds * 1000;
}

/** An exit code, with the signal that it tells: `exit code 137 (SIGKILL)`. */
export const codeOf = ({ exitCode }: ContainerEnd): string => {
  const signal = SIGNAL_NAMES[exitCode - SIGNALS];
  return signal === undefined ? `exit code ${exitCode}` : `exit code ${exitCode} (${signal})`;
};
