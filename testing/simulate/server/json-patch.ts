import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../constructs/schema/json.ts';
import { ApiError } from '../../../operator/kube/index.ts';

/** One operation of a JSON patch (RFC 6902): of these the engine sends three. */
interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/**
 * An object with a JSON patch applied to it.
 *
 * @throws ApiError 422 where a test fails, or a path leads nowhere
 */
export const jsonPatched = <T>(object: T, operations: readonly Operation[]): T =>
  operations.reduce((value, operation) => at(value, stepsOf(operation.path), operation), object as unknown) as T;

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function at(value: unknown, [step, ...rest]: readonly string[], operation: Operation): unknown {
  if (step === undefined) throw failed(operation);
  if (rest.length > 0) {
    const inner = at(memberOf(value, step), rest, operation);
    if (Array.isArray(value)) return value.with(Number(step), inner);
    return { ...(value as object), [step]: inner };
  }
  return done(value, step, operation);
}

function done(value: unknown, step: string, operation: Operation): unknown {
  const present = memberOf(value, step);
  switch (operation.op) {
    case 'test':
      if (!isDeepStrictEqual(present, operation.value)) throw failed(operation);
      return value;
    case 'add':
      if (!isObject(value)) throw failed(operation);
      return { ...value, [step]: operation.value };
    case 'remove':
      if (present === undefined) throw failed(operation);
      if (Array.isArray(value)) return value.toSpliced(Number(step), 1);
      return Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== step));
    default:
      throw failed(operation);
  }
}

const memberOf = (value: unknown, step: string): unknown => {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
};

const failed = ({ op, path }: Operation): ApiError =>
  new ApiError(422, { reason: 'Invalid', message: `the JSON patch can't be applied: ${op} ${path}` });
