import type { IConstruct } from 'constructs';
import type { ChildOptions } from '../../constructs/workload.ts';

/** What is said of a child that cdk8s has no words for. Its order is said by `node.addDependency`. */
export type ManageOptions = Omit<ChildOptions, 'after'>;

const MANAGED = new WeakMap<IConstruct, ManageOptions>();

/**
 * Says of an object, or of all objects below a construct, who else writes to it and how long it stays.
 *
 * @returns the construct
 */
export function manage<T extends IConstruct>(construct: T, options: ManageOptions): T {
  MANAGED.set(construct, { ...MANAGED.get(construct), ...options });
  return construct;
}

/** What was said of an object, or of what it stands in; the nearest wins. */
export const managedOptions = (object: IConstruct): ManageOptions =>
  object.node.scopes.reduce<ManageOptions>((options, scope) => ({ ...options, ...MANAGED.get(scope) }), {});
