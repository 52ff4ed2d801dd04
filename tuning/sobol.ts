import { bitsOf, uniform } from './numbers.ts';

const BITS = 32;

/**
 * Of each coordinate from the second on: the degree and the inner coefficients of a primitive polynomial, and the first
 * direction numbers, by S. Joe and F. Y. Kuo (new-joe-kuo-6.21201). There are as many coordinates as a search may have.
 */
const DIRECTIONS: readonly (readonly [number, number, readonly number[]])[] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
];

/** How many coordinates there are directions for. */
export const MOST_COORDINATES = DIRECTIONS.length + 1;

/** The 32 direction numbers of a coordinate, each as a fraction of 2^32. */
function directions(coordinate: number): readonly number[] {
  const [degree, inner, first] = DIRECTIONS[coordinate - 1] ?? [0, 0, []];
  const numbers: number[] = [];
  for (let bit = 0; bit < BITS; bit++) {
    if (degree === 0) numbers.push((1 << (BITS - 1 - bit)) >>> 0);
    else if (bit < degree) numbers.push(((first[bit] ?? 0) << (BITS - 1 - bit)) >>> 0);
    else {
      const back = numbers[bit - degree] ?? 0;
      let number = back ^ (back >>> degree);
      for (let k = 1; k < degree; k++) {
        if (((inner >>> (degree - 1 - k)) & 1) === 1) number ^= numbers[bit - k] ?? 0;
      }
      numbers.push(number >>> 0);
    }
  }
  return numbers;
}

const TABLE = Array.from({ length: MOST_COORDINATES }, (_, coordinate) => directions(coordinate));

/**
 * The first points of Sobol's sequence, which fill the unit cube more evenly than chance does; scrambled in Owen's way, so
 * that another seed gives other points that are as even.
 *
 * @param coordinates - how many each point has; those beyond {@link MOST_COORDINATES} are by chance
 */
export function sobolPoints(count: number, coordinates: number, seed: string): number[][] {
  const keys = Array.from({ length: coordinates }, (_, coordinate) => bitsOf(`${seed}/${coordinate}`));
  return Array.from({ length: count }, (_, index) =>
    keys.map((key, coordinate) => {
      const numbers = TABLE[coordinate];
      return numbers ? scrambled(digits(index, numbers), key) / 2 ** BITS : uniform(`${seed}/${coordinate}/${index}`);
    }),
  );
}

function digits(index: number, numbers: readonly number[]): number {
  let sum = 0;
  for (let bit = 0; index >>> bit > 0; bit++) if (((index >>> bit) & 1) === 1) sum ^= numbers[bit] ?? 0;
  return sum >>> 0;
}

/** Each digit is flipped or not by a hash of those before it (S. Laine and T. Karras, 2011). */
function scrambled(value: number, key: number): number {
  let x = (reversed(value) + key) | 0;
  for (const factor of [0x6c50b47c, 0xb82f1e52, 0xc7afe638, 0x8d22f6e6]) x ^= Math.imul(x, factor);
  return reversed(x);
}

function reversed(value: number): number {
  let x = value;
  x = ((x >>> 1) & 0x55555555) | ((x & 0x55555555) << 1);
  x = ((x >>> 2) & 0x33333333) | ((x & 0x33333333) << 2);
  x = ((x >>> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4);
  x = ((x >>> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8);
  return ((x >>> 16) | (x << 16)) >>> 0;
}
