import { SpecError } from '../../../constructs/schema/error.ts';
import type { ObjectMeta, ResourceType } from '../../kube/index.ts';
import { typeName } from './cache-stores.ts';
import type { Kind, Resource } from '../api/index.ts';

/** The kinds that make the same objects as that of a type: those of its label. */
export function conflictingKinds(kinds: readonly Kind[], type: ResourceType): readonly Kind[] {
  const label = kinds.find((kind) => typeName(kind.type) === typeName(type))?.label;
  return kinds.filter((kind) => kind.label === label && typeName(kind.type) !== typeName(type));
}

/** Whether one was there before the other; of two that were made at once, any order will do that all agree on. */
export const isOlder = (one: ObjectMeta, other: ObjectMeta): boolean =>
  one.creationTimestamp < other.creationTimestamp ||
  (one.creationTimestamp === other.creationTimestamp && one.uid < other.uid);

/** Why a resource is not acted on: two would take turns in making the objects as each wants them. */
export const conflictError = ({ kind, metadata: { name, namespace = '' } }: Resource, older: Resource): SpecError =>
  new SpecError(`${kind} ${namespace}/${name}`, [
    {
      path: 'metadata.name',
      message: `${older.kind} ${name} of this namespace is older and makes objects of the same names: rename or delete one of them`,
    },
  ]);
