import type { KubeObject } from '../../kube/index.ts';
import { fieldManagersOf, applyTo } from '../plan/index.ts';
import type { DesiredChild } from '../plan/index.ts';
import { groupOf, nameOf } from '../api/index.ts';
import type { Failure, Identity, Resource, ObservedChild } from '../api/index.ts';
import { controllerOf, isOurs } from '../observe/index.ts';
import { STALE, type StepResult } from './step-result.ts';

/** The object that has the name of a child which was to be created. */
export interface TakenName {
  readonly object: KubeObject;
  readonly live: ObservedChild;
  /** Whether its labels say that it was made for the owner. */
  readonly isLabelled: boolean;
  readonly owner: Resource;
  readonly identity: Identity;
}

/**
 * What a create leads to where there is an object of that name already: ours (an answer was lost, a label was removed) or
 * not. `none` where it is ours and as wanted.
 */
export function stepForTakenName(child: DesiredChild, taken: TakenName): StepResult | 'none' {
  const { object, live, isLabelled, owner, identity } = taken;
  const controller = controllerOf(object);
  if (controller === undefined ? !isLabelled : controller.uid !== owner.metadata.uid) {
    // Of an earlier resource of this name: the garbage collector is about to remove it.
    if (controller !== undefined && isNamesake(controller, owner)) return STALE;
    return { rejection: { type: 'refused', failure: nameTaken(child, identity, controller, live) } };
  }
  if (!isOurs(live, owner.metadata.uid)) {
    return { rejection: { type: 'refused', failure: runElsewhere(child, object, owner, identity) } };
  }
  if (live.deleting) return STALE;
  return live.digest === child.digest ? 'none' : { instead: applyTo(child, live) };
}

const isNamesake = (controller: { apiVersion: string; kind: string; name: string }, owner: Resource): boolean =>
  groupOf(controller.apiVersion) === groupOf(owner.apiVersion) &&
  controller.kind === owner.kind &&
  controller.name === owner.metadata.name;

/** The failure of a child whose name an object of somebody else has. */
export function nameTaken(
  child: DesiredChild,
  { title }: Identity,
  controller?: { readonly kind: string; readonly name: string },
  live?: ObservedChild,
): Failure {
  const whose =
    controller === undefined ? `was not made by ${title} for this resource` : `belongs to ${nameOf(controller)}`;
  const what =
    live?.staysFor === undefined
      ? 'It is left as it is: delete or rename it, or give this resource another name.'
      : 'It is being deleted, and goes once the pods that it covers have stopped: wait, or give this resource another name.';
  return { child: child.id, reason: 'NameTaken', message: `${nameOf(child.object)} exists and ${whose}. ${what}` };
}

/** Another host has made it for this very workload. */
function runElsewhere(
  child: DesiredChild,
  object: KubeObject,
  { kind, metadata }: Resource,
  identity: Identity,
): Failure {
  const managers = fieldManagersOf(object, identity).map(({ manager = '' }) => manager);
  const by = managers.length === 0 ? 'another host' : managers.join(', ');
  const { adopt } = identity.commands ?? {};
  const advice =
    adopt === undefined
      ? 'delete it there, or give this resource another name.'
      : `to have the operator run it, without a restart, call ${adopt} ${kind.toLowerCase()}/${metadata.name} -n ${metadata.namespace ?? ''}`;
  return {
    child: child.id,
    reason: 'NameTaken',
    message: `${nameOf(child.object)} exists, made for this workload by ${by}. It is left as it is: ${advice}`,
  };
}
