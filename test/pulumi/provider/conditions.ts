import { isObject } from './wire.ts';

/** A condition of an object's status. */
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The condition of a type; undefined where there is none. */
export function conditionIn(object: unknown, type: string): Condition | undefined {
  const status = isObject(object) ? object['status'] : undefined;
  const conditions = isObject(status) ? status['conditions'] : undefined;
  return Array.isArray(conditions)
    ? (conditions as readonly Condition[]).find((condition) => condition.type === type)
    : undefined;
}
