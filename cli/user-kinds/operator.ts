import { type Identity, identityFor } from '../../operator/engine/api/index.ts';
import type { DefinedKind } from '../../operator/runtime/index.ts';
import { UsageError } from '../errors.ts';
import type { Found } from './found.ts';

/** An operator, as far as objects for it are made. */
export interface OperatorOfKinds {
  readonly identity: Identity;
  readonly kinds: readonly DefinedKind[];
}

/** What a module can do so that the name of its operator is known. */
const SAY = "export const operator = { name: 'acme-operator' }, or name the module that calls operate";

/** How a user gives the operator's name. */
export interface OperatorName {
  /** What the user has said, which comes before what the module says. */
  readonly name?: string | undefined;
  /**
   * The flag by which it can be said.
   *
   * @default - the command has none
   */
  readonly flag?: string;
}

/**
 * The operator that a module is about.
 *
 * @throws UsageError where its name is not known, or can't be one
 */
export function operatorOf(
  file: string,
  { kinds, operator }: Found,
  { name = operator.name, flag }: OperatorName = {},
): OperatorOfKinds {
  if (name === undefined) {
    const how = flag === undefined ? SAY : `add ${flag} acme-operator; or ${SAY}`;
    throw new UsageError(`${file} does not say what its operator is called: ${how}`);
  }
  const domain = operator.domain ?? kinds[0]?.type.group ?? '';
  try {
    return { identity: identityFor({ name, domain }), kinds };
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}
