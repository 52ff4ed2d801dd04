import type { Search, Trial } from './suggest.ts';
import type { Space } from './space.ts';
import { uniform } from './uniform.ts';

/** All that an algorithm chooses by. */
export interface Question {
  readonly search: Search;
  readonly space: Space;
  readonly trials: readonly Trial[];
  /** Whether what a point stands for has not been tried yet. There is at least one such point. */
  readonly isNew: (point: readonly number[]) => boolean;
}

/** After this many, what is left is looked for in order: it is little, since chance has not met it. */
const MOST_DRAWS = 1000;

/** A point by chance. */
export function randomPoint(question: Question): readonly number[] {
  const { search, space, trials, isNew } = question;
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const chances = space.axes.map(({ name }) => uniform(`${search.seed}/random/${trials.length}/${draw}/${name}`));
    const point = space.draw(chances);
    if (isNew(point)) return point;
  }
  return firstNewFrom(question, 0);
}

/** The next point of a grid; where there are more points than trials, they are spread over it. */
export function gridPoint(question: Question): readonly number[] {
  const { search, space, trials } = question;
  const stride = Math.max(1, space.size / search.maxTrials);
  return firstNewFrom(question, Math.floor(trials.length * stride));
}

/** The first point from a number on, round about, that has not been tried. */
export function firstNewFrom({ space, isNew }: Question, index: number): readonly number[] {
  for (let offset = 0; offset < space.size; offset++) {
    const point = space.at((index + offset) % space.size);
    if (isNew(point)) return point;
  }
  throw new Error('all points have been tried');
}
