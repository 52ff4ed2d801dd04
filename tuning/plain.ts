import type { Search, Trial } from './search.ts';
import type { Space } from './space.ts';
import { uniform } from './numbers.ts';
import type { Vector } from './numbers.ts';

/** All that an algorithm chooses by. */
export interface Question {
  readonly search: Search;
  readonly space: Space;
  readonly trials: readonly Trial[];
  /** Whether what a point stands for has not been tried yet. */
  readonly isNew: (point: Vector) => boolean;
}

/** After so many numbers, what is left is looked for in order: it is little, since chance has not met it. */
const MOST_CHANCES = 16_000;
const MOST_DRAWS = 1000;

/** A point by chance; undefined where nothing is left that is worth looking for. */
export function randomPoint(question: Question): Vector | undefined {
  const { search, space, trials, isNew } = question;
  const draws = Math.min(MOST_DRAWS, Math.ceil(MOST_CHANCES / Math.max(1, space.axes.length)));
  for (let draw = 0; draw < draws; draw++) {
    const chances = space.axes.map(({ name }) => uniform(`${search.seed}/random/${trials.length}/${draw}/${name}`));
    const point = space.draw(chances);
    if (isNew(point)) return point;
  }
  return firstNewFrom(question, () => 0n);
}

/** The next point of a grid; where there are more points than trials, they are spread over it. */
export function gridPoint(question: Question): Vector | undefined {
  const { search, trials } = question;
  const most = BigInt(Math.max(1, Math.floor(Math.min(search.maxTrials, Number.MAX_SAFE_INTEGER))));
  const next = BigInt(trials.length);
  return firstNewFrom(question, (length) => (length > most ? (next * length) / most : next));
}

/**
 * The first point from a number on, round about, that has not been tried; undefined where there is none.
 *
 * Among one point more than were tried there is a new one, as long as all are different. On the narrowest of continuous
 * axes up to three neighbours may be the same by rounding.
 */
export function firstNewFrom(
  { space, trials, isNew }: Question,
  start: (length: bigint) => bigint,
): Vector | undefined {
  const { row } = space;
  const from = start(row.length);
  const most = BigInt(4 * (trials.length + 1));
  for (let offset = 0n; offset < row.length && offset < most; offset++) {
    const point = row.at((from + offset) % row.length);
    if (isNew(point)) return point;
  }
  return undefined;
}
