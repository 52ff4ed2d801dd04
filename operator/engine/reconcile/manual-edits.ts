import { plainText } from '../../../constructs/parts/values/index.ts';
import { editsOf, type Edit, type EventNote, type KubeObject } from '../../kube/index.ts';
import { nameOf } from '../api/index.ts';
import type { Identity, Named, Resource } from '../api/index.ts';
import type { DesiredChild } from '../plan/index.ts';

/** So many fields are told of one edit; the rest is counted. */
const MOST_FIELDS = 3;
/** Longest path, value and name of a manager that is told, in characters. */
const LONGEST = 120;

/** What people do by hand, and the operator undoes. */
export type ManualEdit = 'EditReverted' | 'ChildRecreated';

/** What is told of a child that somebody has deleted. */
export function recreated({ object }: Pick<DesiredChild, 'object'>, owner: Resource, identity: Identity): EventNote {
  const message = `${nameOf(object)} was deleted, and not by the operator: it is created again.`;
  return withPause({ reason: 'ChildRecreated', message }, owner, identity);
}

/** What is told of a child that somebody has edited; undefined where it is not known who has changed what. */
export function reverted(
  { object, manifest }: Pick<DesiredChild, 'object' | 'manifest'>,
  live: KubeObject,
  owner: Resource,
  identity: Identity,
): EventNote | undefined {
  const { fieldManager, handoverManager } = identity;
  const edits = editsOf(live, manifest, (manager) => manager === fieldManager || manager === handoverManager);
  if (edits.length === 0) return undefined;
  const fields = edits.slice(0, MOST_FIELDS).map((edit) => fieldOf(edit, object));
  const more = edits.length > fields.length ? [`${edits.length - fields.length} more`] : [];
  const message = `${nameOf(object)}: ${[...fields, ...more].join(', ')}. It is put back.`;
  return withPause({ reason: 'EditReverted', message }, owner, identity);
}

function fieldOf({ path, value, manager }: Edit, object: Named): string {
  const field = plainText(path, { max: LONGEST });
  if (value === undefined) return `${field} was removed`;
  const amount = isPublic(path, value, object) ? ` to ${plainText(JSON.stringify(value), { max: LONGEST })}` : '';
  return `${field} was set${amount} by ${plainText(manager ?? 'somebody', { max: LONGEST })}`;
}

/** What may be a secret is not shown, and neither is what is long. */
const isPublic = (path: string, value: unknown, { kind }: Named): boolean =>
  kind !== 'Secret' && kind !== 'ConfigMap' && !path.includes('.env[') && typeof value !== 'object';

/** What happened, with the command that lets people work on an object by hand. */
function withPause(
  happened: Record<'reason', ManualEdit> & Pick<EventNote, 'message'>,
  { kind, metadata: { namespace, name } }: Resource,
  { pausedAnnotation }: Identity,
): EventNote {
  const where = namespace === undefined ? '' : ` -n ${namespace}`;
  const pause = `kubectl annotate${where} ${kind.toLowerCase()}/${name} ${pausedAnnotation}="why"`;
  const message = `${happened.message} To work on it by hand, pause first: ${pause}`;
  return { ...happened, type: 'Normal', action: 'Reconcile', message };
}
