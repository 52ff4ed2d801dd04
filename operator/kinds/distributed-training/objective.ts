import { TRAINER } from '../../../constructs/distributed-training/parts.ts';
import type { Ask } from '../../engine/asks.ts';
import type { ObservedPod } from '../../engine/observed.ts';
import { reportIn } from '../../engine/report/report.ts';
import { completionOf } from './completion.ts';
import { LATENESS_MS } from './end.ts';
import { type Result, resultOf, tellsOf } from './result.ts';
import type { View } from './view.ts';

/** How often it is tried where it could not be read. */
const RETRY_SECONDS = 10;
/** How long it is tried: a node that comes back at all does so within this time. */
const PATIENCE_MS = 5 * 60_000;

const LOG = 'objective';

/** What is known of the result of a training whose program has ended well. */
export interface Reported extends Result {
  /** Whether nothing more is to be found out. */
  readonly known: boolean;
  /** When the search for it is given up, in milliseconds since the epoch. */
  readonly until?: number;
}

/** What the program has reported as its result: as its last words, or else in its log. */
export function reportedBy(view: View, now: number): Reported {
  const { spec, snapshot } = view;
  const { objective } = spec;
  if (objective === undefined) return { known: true };
  if (!hasEndedWell(view)) return { known: false };
  const pod = reporterOf(view);
  // Gone, or not in sight yet.
  if (pod === undefined) return knownFrom(endedAt(view, now) + LATENESS_MS, now);
  const message = lastWords(pod);
  const fact = snapshot.facts[LOG];
  if (message !== undefined) {
    const words = reportIn(message, objective.metric);
    if (tellsOf(words)) return { known: true, ...resultOf(words, objective) };
    if (fact?.type === 'reported') return { known: true, ...resultOf(fact, objective) };
    // However long ago it ended, the log is asked for once: nobody may have looked for a while, and clocks differ.
    if (fact === undefined) return { known: false };
  }
  return knownFrom(endedAt(view, now) + PATIENCE_MS, now);
}

/** Asks for the log, where the program has ended well and has left no last words. */
export function objectiveAsks(view: View, now: number): readonly Ask[] {
  const pod = reporterOf(view);
  const { objective } = view.spec;
  if (!objective || !pod || !hasEndedWell(view)) return [];
  const message = lastWords(pod);
  if (message === undefined) return [];
  if (view.snapshot.facts[LOG] !== undefined && now >= endedAt(view, now) + PATIENCE_MS) return [];
  const { metric } = objective;
  if (tellsOf(reportIn(message, metric))) return [];
  return [{ id: LOG, type: 'reported', pod: pod.name, container: TRAINER, metric, everySeconds: RETRY_SECONDS }];
}

const hasEndedWell = (view: View): boolean => completionOf(view) !== undefined;

const knownFrom = (until: number, now: number): Reported => ({ known: now >= until, until });

/** The first rank of the leading role speaks for all. */
const reporterOf = ({ ranks, roles }: View): ObservedPod | undefined =>
  ranks.find(({ role, rank, gone = false }) => role === roles.leading && rank === 0 && !gone)?.pod;

/** Undefined where the program is not known to have ended: of its Job's end another watch tells, and may do so before. */
const lastWords = (pod: ObservedPod): string | undefined =>
  pod.containers.find(({ name }) => name === TRAINER)?.terminated?.message;

/** By the clock of a node, perhaps, which must not make one wait for long. */
const endedAt = (view: View, now: number): number => Math.min(completionOf(view)?.at ?? now, now);
