/** A condition of a status, as far as it is told. */
export interface ConditionLike {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The condition of a type in a status that an API server gave; undefined where there is none. */
export function conditionOf(
  status: Readonly<Record<string, unknown>> | undefined,
  type: string,
): ConditionLike | undefined {
  const conditions: unknown = status?.['conditions'];
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as readonly ConditionLike[]).find((condition) => condition.type === type);
}
