import { fitBeliefs, GaussianProcess } from './gaussian-process.ts';
import type { Observations } from './gaussian-process.ts';
import { Improvement } from './improvement.ts';
import { randomPoint } from './plain.ts';
import type { Question } from './plain.ts';
import { sobolPoints } from './sobol.ts';
import type { Space } from './space.ts';
import type { Trial } from './search.ts';
import type { Vector } from './numbers.ts';
import { uniform } from './numbers.ts';
import { warp } from './warp.ts';

/**
 * In the last part of a search there is no use any more in finding out what nothing will be made of: doubt counts for less
 * then.
 */
const LATE = { share: 0.4, doubt: 0.3 };
/** Trials that are spread evenly before anything is concluded. */
const EVEN_TRIALS = 4;
/** Spaces of so many points are looked through; in others points are taken out. */
const FEW_POINTS = 2000;
const CANDIDATES = 512;
/** How many of the best trials are looked about, at how many points each, how far, and how often at another value. */
const NEIGHBOURS = { of: 4, each: 16, within: 0.1, jumps: 0.4 };
/** Takes a quarter of a second. */
const MOST_OBSERVED = 64;
/** As many as may run at a time. */
const MOST_BELIEVED = 100;
/** How many candidates are improved by climbing. */
const CLIMBS = 5;

/** The point of which the most improvement is expected, by all that the trials have chosen. */
export function bayesianPoint(question: Question): Vector | undefined {
  const { space, trials, isNew } = question;
  if (trials.length < EVEN_TRIALS || !trials.some(hasEnded)) return evenPoint(question);
  const observations = observationsOf(question);
  const beliefs = fitBeliefs(observations, space.metric, space.axes.length);
  const improvement = new Improvement(withBelieved(question, observations, beliefs), beliefs, space, doubtOf(question));
  const ranked = candidatesOf(question, observations)
    .filter(isNew)
    .map((point) => ({ point, value: improvement.at(point) }))
    .toSorted((a, b) => b.value - a.value);
  const climbed = ranked
    .slice(0, CLIMBS)
    .map(({ point }) => space.snap(improvement.climb(point)))
    .filter(isNew)
    .map((point) => ({ point, value: improvement.at(point) }));
  const best = [...ranked.slice(0, 1), ...climbed].toSorted((a, b) => b.value - a.value)[0];
  return best?.point ?? randomPoint(question);
}

const hasEnded = ({ value }: Trial): boolean => value !== undefined;

/** The next of points that are spread evenly. */
function evenPoint(question: Question): Vector | undefined {
  const { search, space, trials, isNew } = question;
  const even = sobolPoints(trials.length + EVEN_TRIALS, space.axes.length, `${search.seed}/even`);
  const next = even.slice(trials.length).map((point) => space.draw(point));
  return next.find(isNew) ?? randomPoint(question);
}

const doubtOf = ({ search, trials }: Question): number =>
  search.maxTrials - trials.length <= LATE.share * search.maxTrials ? LATE.doubt : 1;

/** What the trials that have ended tell: one that failed is as bad as the worst. To be minimised. */
function observationsOf({ search, space, trials }: Question): Observations {
  const sign = search.goal === 'maximize' ? -1 : 1;
  const ended = trials.filter(hasEnded).map(({ assignments, value = Number.NaN }) => ({
    point: space.encode(assignments),
    value: sign * value,
  }));
  const finite = ended.map(({ value }) => value).filter(Number.isFinite);
  const worst = finite.reduce((most, value) => Math.max(most, value), finite[0] ?? 0);
  const chosen = informative(
    ended.map(({ point, value }) => ({ point, value: Number.isFinite(value) ? value : worst })),
  );
  return { points: chosen.map(({ point }) => point), values: warp(chosen.map(({ value }) => value)) };
}

/** Of many observations the best and the newest: what there is to reckon grows with the third power of their number. */
function informative<T extends { readonly value: number }>(observed: readonly T[]): readonly T[] {
  if (observed.length <= MOST_OBSERVED) return observed;
  const best = new Set(observed.toSorted((a, b) => a.value - b.value).slice(0, MOST_OBSERVED / 2));
  const newest = observed.filter((one) => !best.has(one)).slice(-MOST_OBSERVED / 2);
  return [...best, ...newest];
}

/** Trials that still run are believed to come out as expected, so that others don't go where they are. */
function withBelieved(
  { space, trials }: Question,
  { points, values }: Observations,
  beliefs: ReturnType<typeof fitBeliefs>,
): Observations {
  const running = trials
    .filter((trial) => !hasEnded(trial))
    .slice(-MOST_BELIEVED)
    .map(({ assignments }) => space.encode(assignments));
  if (running.length === 0) return { points, values };
  const process = new GaussianProcess({ points, values }, beliefs, space.metric);
  return {
    points: [...points, ...running],
    values: [...values, ...running.map((point) => process.predict(point).mean)],
  };
}

function candidatesOf({ search, space, trials }: Question, { points, values }: Observations): readonly Vector[] {
  if (space.size <= FEW_POINTS) {
    const { row } = space;
    return Array.from({ length: space.size }, (_, index) => row.at(BigInt(index)));
  }
  const seed = `${search.seed}/${trials.length}`;
  const spread = sobolPoints(CANDIDATES, space.axes.length, seed).map((point) => space.draw(point));
  const best = points
    .map((point, i) => ({ point, value: values[i] ?? 0 }))
    .toSorted((a, b) => a.value - b.value)
    .slice(0, NEIGHBOURS.of);
  const near = best.flatMap(({ point }, rank) =>
    Array.from({ length: NEIGHBOURS.each }, (_, i) => neighbour(space, point, `${seed}/near/${rank}/${i}`)),
  );
  return [...spread, ...near];
}

/** A point not far from another. Where an axis has few values, another one is taken now and then. */
function neighbour(space: Space, point: Vector, seed: string): Vector {
  const moved = point.map((u, i) => {
    const chance = uniform(`${seed}/${i}`);
    const isFew = (space.axes[i]?.values?.length ?? Infinity) * NEIGHBOURS.within < 1;
    if (isFew) return chance < NEIGHBOURS.jumps ? chance / NEIGHBOURS.jumps : u;
    return Math.min(1, Math.max(0, u + (2 * chance - 1) * NEIGHBOURS.within));
  });
  return space.snap(moved);
}
