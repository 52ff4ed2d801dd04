import { has } from '../../kube/index.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../kube/index.ts';
import { FIELD_MANAGER, PART_OF_LABEL } from '../api/index.ts';

/** A label that is in every manifest of ours, and on which no controller has anything to write. */
export const MARK: readonly string[] = ['metadata', 'labels', PART_OF_LABEL];

/** Whether an entry of an object's managed fields is the operator's. */
export const isOperators = ({ manager, operation, subresource }: ManagedFieldsEntry): boolean =>
  manager === FIELD_MANAGER && operation === 'Apply' && !subresource;

/** Who has applied an object's manifest beside the operator, by whatever name and in whatever way: anyone who owns our mark. */
export const fieldManagersOf = ({ metadata }: KubeObject): readonly ManagedFieldsEntry[] =>
  (metadata.managedFields ?? []).filter(
    (entry) => !isOperators(entry) && !entry.subresource && has(entry.fieldsV1, MARK),
  );
