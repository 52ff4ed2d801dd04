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
    super(`${subject} is invalid:\n${problems.map((problem) => `  ${line(problem)}`).join('\n')}`);
    this.problems = problems;
    this.refusal = refusal;
  }
}

const line = (problem: Problem): string => `${problem.path}: ${reasonOf(problem)}`;

/** What a problem says, without its path. */
export const reasonOf = ({ message, got }: Problem): string =>
  got === undefined ? message : `${message} (got ${JSON.stringify(got)})`;

/** Says what was there, where it is short enough to be said. */
export const withGot = (problem: Omit<Problem, 'got'>, value: unknown): Problem =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? { ...problem, got: value }
    : problem;
