import { has } from '../../kube/index.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../kube/index.ts';
import type { Identity } from '../api/index.ts';

/** A label that is in every manifest of ours, and on which no controller has anything to write. */
export const markOf = ({ labels }: Identity): readonly string[] => ['metadata', 'labels', labels.operator];

/** Whether an entry of an object's managed fields is the operator's. */
export const isOperators = (
  { manager, operation, subresource }: ManagedFieldsEntry,
  { fieldManager }: Identity,
): boolean => manager === fieldManager && operation === 'Apply' && !subresource;

/** Who has applied an object's manifest beside the operator, by whatever name and in whatever way: anyone who owns our mark. */
export const fieldManagersOf = ({ metadata }: KubeObject, identity: Identity): readonly ManagedFieldsEntry[] =>
  (metadata.managedFields ?? []).filter(
    (entry) => !isOperators(entry, identity) && !entry.subresource && has(entry.fieldsV1, markOf(identity)),
  );
