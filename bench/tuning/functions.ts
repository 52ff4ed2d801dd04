import type { Parameter } from '../../tuning/index.ts';
import type { Assignments } from '../../tuning/index.ts';

/** A function whose minimum is known. */
export interface TestFunction {
  readonly name: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly minimum: number;
  at(assignments: Assignments): number;
}

const range = (min: number, max: number): Parameter => ({ type: 'range', min, max, scale: 'linear', whole: false });

/** Branin's function of two parameters, which has three minima of equal depth. */
export const branin: TestFunction = {
  name: 'Branin',
  parameters: { x: range(-5, 10), y: range(0, 15) },
  minimum: 0.397887,
  at: ({ x, y }) => {
    const [u, v] = [Number(x), Number(y)];
    const valley = v - (5.1 / (4 * Math.PI ** 2)) * u ** 2 + (5 / Math.PI) * u - 6;
    return valley ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(u) + 10;
  },
};

const DEPTHS = [1, 1.2, 3, 3.2];
const NARROWNESS = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
];
const PLACES = [
  [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
  [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
  [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.665],
  [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
];
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Hartmann's function of six parameters, which has four minima of different depths. */
export const hartmann6: TestFunction = {
  name: 'Hartmann6',
  parameters: Object.fromEntries(NAMES.map((name) => [name, range(0, 1)])),
  minimum: -3.32237,
  at: (assignments) =>
    -DEPTHS.reduce((sum, depth, i) => {
      const distance = NAMES.reduce((total, name, j) => {
        const away = Number(assignments[name]) - (PLACES[i]?.[j] ?? 0);
        return total + (NARROWNESS[i]?.[j] ?? 0) * away ** 2;
      }, 0);
      return sum + depth * Math.exp(-distance);
    }, 0),
};
