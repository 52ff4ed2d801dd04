import { plainText } from '../../../constructs/parts/values/index.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import type { Query, ObservedPod } from '../../engine/api/index.ts';
import { FETCH_CONTAINER, containerOf } from './observed.ts';
import type { Observed } from './observed.ts';

type Progress = NonNullable<ModelServingStatus['weights']>;

/** How often a running fetcher's log is looked at: as often as the status may be written. */
const RECHECK_SECONDS = 10;
/** The same before anything has come: what keeps it from coming is to be told soon. */
const FIRST_CHECK_SECONDS = 5;
/** Enough to hold a whole line of progress behind a few other words. */
const TAIL_LINES = 5;

/** How far the fetch is: from its last words, else from its log, else as it was last seen. */
export function progressOf(observed: Observed, carriers: readonly ObservedPod[]): Progress {
  const { uri } = observed.spec.model;
  const { claimUID, leastSize: _, ...known } = observed.status.weights ?? { uri: '' };
  // Other files of the same URI lie on another volume.
  const isOther = claimUID !== undefined && observed.claim !== undefined && claimUID !== observed.claim.uid;
  const before = known.uri === uri && !isOther ? known : undefined;
  const logged = carriers
    .map((pod) => observed.snapshot.answers[queryId(pod)])
    .find((answer) => answer?.type === 'podLog');
  const finished = carriers.map(lastWords).find((words) => words !== undefined);
  return {
    ...before,
    ...(logged?.type === 'podLog' && figuresIn(logged.text)),
    ...(finished !== undefined && figuresIn(finished)),
    uri,
  };
}

/** Why the fetcher that runs tries again, as it says itself; undefined where it has got on since, or says nothing. */
export function retryingOf({ snapshot }: Observed, pod: ObservedPod): string | undefined {
  const answer = snapshot.answers[queryId(pod)];
  if (answer?.type !== 'podLog') return undefined;
  const last = answer.text
    .split('\n')
    .map(parse)
    .findLast((line) => Object.keys(line).length > 0);
  return typeof last?.['retrying'] === 'string' ? last['retrying'] : undefined;
}

/** Asks for the log of the fetcher that runs, where one does. */
export const progressQueries = ({ status, spec }: Observed, carriers: readonly ObservedPod[]): readonly Query[] =>
  carriers
    .filter((pod) => containerOf(pod, FETCH_CONTAINER)?.running !== undefined)
    .slice(0, 1)
    .map((pod) => ({
      id: queryId(pod),
      type: 'podLog',
      pod: pod.name,
      container: FETCH_CONTAINER,
      tailLines: TAIL_LINES,
      everySeconds: hasCome(status, spec.model.uri) ? RECHECK_SECONDS : FIRST_CHECK_SECONDS,
    }));

const hasCome = ({ weights }: Observed['status'], uri: string): boolean =>
  weights?.uri === uri && (weights.bytes ?? 0) > 0;

const queryId = ({ name }: ObservedPod): string => `progress/${name}`;

const lastWords = (pod: ObservedPod): string | undefined => {
  const end = containerOf(pod, FETCH_CONTAINER)?.terminated;
  return end?.exitCode === 0 ? end.message : undefined;
};

/** The figures of the last JSON line that has any. */
function figuresIn(text: string): Omit<Progress, 'uri'> {
  const lines = text.split('\n').map(parse);
  const last = lines.findLast((line) => isCount(line['bytes']));
  if (!last) return {};
  const { revision, bytes, totalBytes } = last;
  return {
    ...(typeof revision === 'string' && revision !== '' && { revision: plainText(revision, { max: 256 }) }),
    ...(isCount(bytes) && { bytes }),
    ...(isCount(totalBytes) && { totalBytes }),
  };
}

function parse(line: string): Readonly<Record<string, unknown>> {
  if (!line.startsWith('{')) return {};
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    // Cut off at the beginning of the tail, or not a line of the fetcher's.
    return {};
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
