import { plainText } from '../parts/values/index.ts';
import { hintFor } from './hints.ts';

/** One thing that is wrong with a spec. */
export interface Problem {
  /** Where, as a path from the root of the resource: `spec.env[0].name`. */
  readonly path: string;
  /** What is allowed and what to do, in the words that the API server uses too. */
  readonly message: string;
  /**
   * What was there.
   *
   * @default - nothing, or a whole object, which might hold what nobody should read in a log
   */
  readonly got?: string | number | boolean;
}

/** How many problems a message tells, and how long each part of one may be, in characters: the status has to hold it. */
const MAX_LISTED = 100;
const LONGEST_PATH = 512;
const LONGEST_GOT = 200;

/** Why a spec is refused: one word of a condition. */
export type Refusal = 'InvalidSpec' | 'AnnotationNotAllowed';

/** A spec that can't work, with all that is wrong with it at once. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
  readonly problems: readonly Problem[];
  readonly refusal: Refusal;

  /**
   * @param subject - what was parsed: `ModelServing models/llama`
   * @param refusal - the reason for conditions
   */
  constructor(subject: string, problems: readonly Problem[], refusal: Refusal = 'InvalidSpec') {
    const lines = problems.slice(0, MAX_LISTED).map(line);
    const more = problems.length - lines.length;
    if (more > 0) lines.push(`… and ${more} more`);
    super(`${plainText(subject)} is invalid:\n${lines.map((each) => `  ${each}`).join('\n')}`);
    this.problems = problems;
    this.refusal = refusal;
  }
}

const line = (problem: Problem): string => `${plainText(problem.path, { max: LONGEST_PATH })}: ${reasonOf(problem)}`;

/** What a problem says, without its path, as plain text: what was got is a user's, and may be anything. */
export function reasonOf({ message, got }: Problem): string {
  if (got === undefined) return plainText(message);
  const hint = hintFor({ message, got });
  const text = `${message} (got ${plainText(JSON.stringify(got), { max: LONGEST_GOT })})`;
  return plainText(hint === undefined ? text : `${text}: ${plainText(hint, { max: LONGEST_GOT })}`);
}

/** Says what was there, where it is short enough to be said. */
export const withGot = (problem: Omit<Problem, 'got'>, value: unknown): Problem =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? { ...problem, got: value }
    : problem;
