/**
 * A parser of bytes from outside, and what must hold for whatever they are. Each input of the corpus goes through its
 * target in the unit tests, and a fuzzer looks for others.
 */
export interface Target {
  readonly name: string;
  /** Does the work, and throws where something that must hold does not. */
  readonly run: (bytes: Buffer) => void | Promise<void>;
  /** The errors by which the parser says what is wrong with its input. */
  readonly refusals: readonly (new (...args: never[]) => Error)[];
  /**
   * Whether it is to be tried with the same input many times over, in one: what takes quadratic time shows so with few bytes.
   *
   * @default true
   */
  readonly repeats?: boolean;
}

/** The time that an input may take, in milliseconds of the processor. */
export const LONGEST_MS = 100;
/** For an input that was made as long as this many bytes. */
const LARGE_BYTES = 262_144;
const LONGEST_LARGE_MS = 1_000;

/** So often an input is tried that took too long: what was compiled or collected meanwhile does not count. */
const TRIES = 3;

/** An input took too long. */
export class SlowError extends Error {
  override readonly name = 'SlowError';
}

export interface Exercise {
  /**
   * By what the times are multiplied, for a program that counts what it does.
   *
   * @default 1
   */
  readonly slowness?: number;
  /**
   * Whether this input is tried many times over as well.
   *
   * @default true
   */
  readonly repeats?: boolean;
}

/**
 * Puts an input through a target.
 *
 * @throws where something that must hold does not, where it fails in a way that is no refusal, and where it takes too long
 */
export async function exercise(target: Target, bytes: Buffer, how: Exercise = {}): Promise<void> {
  const { slowness = 1, repeats = true } = how;
  await within(target, bytes, LONGEST_MS * slowness);
  if (repeats && target.repeats !== false && bytes.length > 0) {
    const large = Buffer.alloc(LARGE_BYTES, bytes);
    await within(target, large, LONGEST_LARGE_MS * slowness);
  }
}

async function within(target: Target, bytes: Buffer, longestMs: number): Promise<void> {
  let leastMs = Infinity;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const before = process.cpuUsage();
    await accepted(target, bytes);
    const { user } = process.cpuUsage(before);
    leastMs = Math.min(leastMs, user / 1_000);
    if (leastMs <= longestMs) return;
  }
  throw new SlowError(`${target.name} took ${Math.round(leastMs)} ms for ${bytes.length} bytes`);
}

async function accepted({ run, refusals }: Target, bytes: Buffer): Promise<void> {
  try {
    await run(bytes);
  } catch (error) {
    if (!refusals.some((refusal) => error instanceof refusal)) throw error;
  }
}

/** @throws where it does not hold */
export function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`does not hold: ${what}`);
}
