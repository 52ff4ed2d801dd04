import type * as z from 'zod';

/** Where a rule of a schema is kept in its metadata, and in the CRD. */
export const VALIDATIONS = 'x-kubernetes-validations';

/**
 * A rule in the Common Expression Language, as `x-kubernetes-validations` has it. The API server runs it at admission,
 * and `parseSpec` runs the same text before anything is sent.
 */
export interface Rule {
  /** The expression; `self` is the value that carries the rule, `oldSelf` the one before a change. */
  readonly rule: string;
  /** What is allowed and what to do; the value that was got is told by anyone who reports it. */
  readonly message: string;
  /**
   * An expression that gives the message, where the message names values. Values of an enum only: the API server
   * reckons that a number as text may be of any length, and refuses the rule for its cost.
   *
   * @default - `message`
   */
  readonly messageExpression?: string;
  /**
   * The field that the message is about, relative to the value that carries the rule: `.autoscaling.maxReplicas`.
   *
   * @default - the value itself
   */
  readonly fieldPath?: string;
}

/** The rules that a schema carries. */
const rulesOf = (schema: z.ZodType): readonly Rule[] =>
  (schema.meta()?.[VALIDATIONS] as readonly Rule[] | undefined) ?? [];

/** The same schema with more rules. */
export const withRules = <S extends z.ZodType>(schema: S, ...rules: readonly Rule[]): S =>
  schema.meta({ [VALIDATIONS]: [...rulesOf(schema), ...rules] });
