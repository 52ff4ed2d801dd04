const ROOT_2_PI = Math.sqrt(2 * Math.PI);
/** Beyond it a continued fraction is exact with a few terms, within it a series is. */
const FAR = 2;
const TERMS = 60;

const density = (z: number): number => Math.exp((-z * z) / 2) / ROOT_2_PI;

/** The tail of the normal distribution beyond `t` over its density there (Mills' ratio), for t of 2 and more. */
function tail(t: number): number {
  let fraction = t;
  for (let term = TERMS; term > 0; term--) fraction = t + term / fraction;
  return 1 / fraction;
}

/** The normal distribution function, for z between -2 and 2. */
function middle(z: number): number {
  let sum = z;
  let power = z;
  for (let odd = 3; odd < 2 * TERMS; odd += 2) {
    power *= (z * z) / odd;
    sum += power;
  }
  return 0.5 + density(z) * sum;
}

/** How much one may hope to gain, of a value that is normally distributed: for one standard deviation. */
export interface Hope {
  /** The logarithm of what is gained on average, losses counted as nothing. */
  readonly log: number;
  /** The chance of a gain, over the average gain. */
  readonly chance: number;
  /** The density at no gain, over the average gain. */
  readonly density: number;
}

/**
 * The expected improvement, and what its slope is made of, exact however small it is.
 *
 * @param z - by how many standard deviations the mean is better than what is to be improved on
 */
export function hope(z: number): Hope {
  if (z < -FAR) {
    const ratio = tail(-z);
    const rest = 1 + z * ratio;
    return { log: (-z * z) / 2 - Math.log(ROOT_2_PI) + Math.log(rest), chance: ratio / rest, density: 1 / rest };
  }
  const chance = z > FAR ? 1 - density(z) * tail(z) : middle(z);
  const gain = density(z) + z * chance;
  return { log: Math.log(gain), chance: chance / gain, density: density(z) / gain };
}
