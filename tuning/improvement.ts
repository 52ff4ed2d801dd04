import { GaussianProcess } from './gaussian-process.ts';
import type { Beliefs, Observations } from './gaussian-process.ts';
import { minimise } from './minimise.ts';
import type { Slope } from './minimise.ts';
import { hope } from './normal.ts';
import type { Space } from './space.ts';
import type { Vector } from './numbers.ts';

/** Where to look next: the logarithm of the expected improvement, and its slope. */
export class Improvement {
  readonly #process: GaussianProcess;
  readonly #space: Space;
  readonly #points: readonly Vector[];
  readonly #best: number;
  readonly #doubt: number;

  /** @param doubt - by what deviations are multiplied: below 1 it stays nearer to what is known to be good */
  constructor(observations: Observations, beliefs: Beliefs, space: Space, doubt: number) {
    this.#doubt = doubt;
    this.#process = new GaussianProcess(observations, beliefs, space.metric);
    this.#space = space;
    this.#points = observations.points;
    this.#best = this.#points.reduce((least, point) => Math.min(least, this.#process.predict(point).mean), Infinity);
  }

  /** How much lower than the best of what was observed it is likely to be, as a logarithm. */
  at(point: Vector): number {
    const { mean, deviation: whole } = this.#process.predict(point);
    const deviation = this.#doubt * whole;
    return hope((this.#best - mean) / deviation).log + Math.log(deviation);
  }

  /** The place of the most improvement near a point, along axes that are continuous. */
  climb(from: Vector): Vector {
    const fixed = this.#space.axes.map(({ values }) => values !== undefined);
    const border = (free: number) => from.map((u, i) => (fixed[i] === true ? u : free));
    return minimise((x) => this.#descent(x), from, { lower: border(0), upper: border(1) }).x;
  }

  #descent(x: Vector): Slope {
    const { mean, deviation: whole, slopes } = this.#process.foresee(x);
    const deviation = this.#doubt * whole;
    const { log, chance, density } = hope((this.#best - mean) / deviation);
    const { precisions } = this.#process;
    const gradient = x.map((u, axis) => {
      if (this.#space.axes[axis]?.unordered === true) return 0;
      let slope = 0;
      for (let i = 0; i < this.#points.length; i++) {
        const away = 2 * (u - (this.#points[i]?.[axis] ?? 0)) * (precisions[axis] ?? 0);
        const { mean: byMean = 0, variance = 0 } = slopes[i] ?? {};
        slope += away * (chance * byMean - (density * this.#doubt * variance) / (2 * whole));
      }
      return slope / deviation;
    });
    return { value: -(log + Math.log(deviation)), gradient };
  }
}
