import type { ObjectMeta, ResourceType } from '../kube/types.ts';
import { typeName } from './caches.ts';
import type { Kind } from './kind.ts';

/** The kinds that make the same objects as that of a type: those of its label. */
export function rivalKinds(kinds: readonly Kind[], type: ResourceType): readonly Kind[] {
  const label = kinds.find((kind) => typeName(kind.type) === typeName(type))?.label;
  return kinds.filter((kind) => kind.label === label && typeName(kind.type) !== typeName(type));
}

/** Whether one was there before the other; of two that were made at once, any order will do that all agree on. */
export const isBefore = (one: ObjectMeta, other: ObjectMeta): boolean =>
  one.creationTimestamp < other.creationTimestamp ||
  (one.creationTimestamp === other.creationTimestamp && one.uid < other.uid);
