import { TRAINER } from '../../../constructs/distributed-training/parts.ts';
import type { DistributedTrainingStatus } from '../../../constructs/distributed-training/status.ts';
import type { Query, ObservedPod } from '../../engine/api/index.ts';
import { reportIn } from '../../engine/queries/index.ts';
import { workDone } from './completion.ts';
import { type Result, resultOf, hasReading } from './result.ts';
import { WATCH_LAG_MS } from './observed.ts';
import type { Observed } from './observed.ts';

/** How often it is tried where it could not be read. */
const RETRY_SECONDS = 10;
/** How long it is tried: a node that comes back at all does so within this time. */
const PATIENCE_MS = 5 * 60_000;

const LOG = 'objective';

/** What is known of the result of a training whose program has succeeded. */
export interface Reported extends Result {
  /** Whether nothing more is to be found out. */
  readonly known: boolean;
  /** When looking for it is given up, in milliseconds since the epoch. */
  readonly until?: number;
}

/** What the program has reported as its result: as its last words, or else in its log. */
export function reportedBy(observed: Observed, now: number): Reported {
  const { spec, snapshot } = observed;
  const { objective } = spec;
  if (objective === undefined) return { known: true };
  if (!hasEndedWell(observed)) return { known: false };
  const pod = reporterOf(observed);
  // Gone, or not in sight yet.
  if (pod === undefined) return knownFrom(endedAt(observed, now) + WATCH_LAG_MS, now);
  const message = lastWords(pod);
  const answer = snapshot.answers[LOG];
  if (message !== undefined) {
    const words = reportIn(message, objective.metric);
    if (hasReading(words)) return { known: true, ...resultOf(words, objective) };
    if (answer?.type === 'reported') return { known: true, ...resultOf(answer, objective) };
    // However long ago it ended, the log is asked for once: nobody may have looked for a while, and clocks differ.
    if (answer === undefined) return { known: false };
  }
  return knownFrom(endedAt(observed, now) + PATIENCE_MS, now);
}

/** The result, for the status. */
export function objectiveOf(
  { spec: { objective } }: Observed,
  { value, line }: Reported,
): Pick<DistributedTrainingStatus, 'objective'> {
  if (!objective || value === undefined) return {};
  return { objective: { metric: objective.metric, value, ...(line !== undefined && { line }) } };
}

/** Asks for the log, where the program has succeeded and has left no last words. */
export function objectiveQueries(observed: Observed, now: number): readonly Query[] {
  const pod = reporterOf(observed);
  const { objective } = observed.spec;
  if (!objective || !pod || !hasEndedWell(observed)) return [];
  const message = lastWords(pod);
  if (message === undefined) return [];
  if (observed.snapshot.answers[LOG] !== undefined && now >= endedAt(observed, now) + PATIENCE_MS) return [];
  const { metric } = objective;
  if (hasReading(reportIn(message, metric))) return [];
  return [{ id: LOG, type: 'reported', pod: pod.name, container: TRAINER, metric, everySeconds: RETRY_SECONDS }];
}

const hasEndedWell = (observed: Observed): boolean => workDone(observed) !== undefined;

const knownFrom = (until: number, now: number): Reported => ({ known: now >= until, until });

/** The first rank of the leading role reports for all. */
const reporterOf = ({ ranks, roles }: Observed): ObservedPod | undefined =>
  ranks.find(({ role, rank, gone = false }) => role === roles.leading && rank === 0 && !gone)?.pod;

/** Undefined where the program is not known to have ended: the end of its Job arrives by another watch, which may be faster. */
const lastWords = (pod: ObservedPod): string | undefined =>
  pod.containers.find(({ name }) => name === TRAINER)?.terminated?.message;

/** By the clock of a node, perhaps, which must not make one wait for long. */
const endedAt = (observed: Observed, now: number): number => Math.min(workDone(observed)?.at ?? now, now);
