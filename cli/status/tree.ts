import { identityOf, namedBy, nameOf } from '../../operator/engine/api/index.ts';
import { controllerOf } from '../../operator/engine/observe/index.ts';
import type { Plan } from '../../operator/engine/plan/index.ts';
import type { KubeObject } from '../../operator/kube/index.ts';
import { notShown } from '../kube/denied.ts';
import { findsNoNode } from '../nodes/needs.ts';
import { shortageOf } from '../nodes/shortage.ts';
import { moduleOf } from '../user-kinds/known.ts';
import { eventOf, latest } from './events.ts';
import type { Observation } from './observe.ts';
import { healthOf } from './objects.ts';
import { outlooksOf } from './outlooks.ts';
import type { ResourceStatus, StatusNode } from './types.ts';
import { wholeStatus } from './whole-status.ts';
import type { DistributedTrainingStatus } from '../../constructs/distributed-training/status.ts';

/** What is told of a resource: a tree from it to its pods. */
export function statusOf(observation: Observation): ResourceStatus {
  const { kind, metadata, status } = observation.resource;
  const result = resultOf(status);
  return {
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    phase: status?.phase ?? '',
    createdAt: metadata.creationTimestamp,
    conditions: (status?.conditions ?? []).map(({ type, status: is, reason, message }) => ({
      type,
      status: is,
      reason,
      message,
    })),
    ...(result !== undefined && { result }),
    notes: notesOf(observation),
    children: childrenOf(observation),
  };
}

function notesOf(observation: Observation): readonly string[] {
  const {
    resource: { metadata, status },
    operatorAbsence: absence,
    unseen,
    kind,
  } = observation;
  const isNew = (status?.observedGeneration ?? 0) < (metadata.generation ?? 0);
  return [
    ...(metadata.deletionTimestamp === undefined ? [] : ['It is being deleted.']),
    ...(absence === undefined ? [] : [absence]),
    ...(isNew && absence === undefined
      ? [`No operator has looked at it as it is now. If that stays so: ${adviceFor(kind)}`]
      : []),
    ...notShown(unseen),
    ...misfitsOf(observation),
  ];
}

/** Of an operator of the user's we know no Deployment. */
const adviceFor = (kind: object): string =>
  moduleOf(kind) === undefined ? 'trunnion doctor' : "read the operator's log";

/** Why its pods find no node: of those of one owner, the first tells it for all. */
function misfitsOf({ resource, objects, nodes, neighbours }: Observation): readonly string[] {
  if (nodes === undefined) return [];
  const groups = Map.groupBy(objects.filter(findsNoNode), (pod) => controllerOf(pod)?.uid ?? pod.metadata.uid);
  const reported = [...groups.values()].flatMap(([pod]) =>
    pod === undefined ? [] : shortageOf(pod, { resource, nodes, neighbours }),
  );
  return [...new Set(reported)];
}

/** The children, in the order in which they are made; then what is no longer wanted. */
function childrenOf(observation: Observation): readonly StatusNode[] {
  const { snapshot, wanted, objects } = observation;
  const live = new Map(snapshot.children.map((child) => [identityOf(child), child.uid]));
  const byUid = new Map(objects.map((object) => [object.metadata.uid, object]));
  const grow = growing(observation);
  const made = (wanted?.rendered ?? []).flatMap((child): readonly StatusNode[] => {
    const identity = identityOf(namedBy(child.manifest));
    const object = byUid.get(live.get(identity) ?? '');
    live.delete(identity);
    if (object) return [grow(object)];
    const { kind, metadata } = child.manifest;
    if (!isSeen(observation, kind)) return [];
    return [
      {
        kind,
        name: metadata.name,
        state: 'absent',
        summary: 'is not there',
        because: isWhole(observation) ? whyAbsent(observation, child.id) : [],
        children: [],
      },
    ];
  });
  const others = [...live.values()].flatMap((uid) => byUid.get(uid) ?? []).map(grow);
  return [...made, ...others];
}

/** Whether objects of a kind may be seen: of others nobody can say that they are not there. */
const isSeen = ({ kind, unseen }: Observation, child: string): boolean => {
  const { plural } = kind.childTypes.find((type) => type.kind === child) ?? {};
  return !unseen.some(({ verb, resource }) => verb === 'list' && resource === plural);
};

/** What no decision about a resource is made on. */
const BESIDE: ReadonlySet<string> = new Set(['events', 'endpointslices', 'replicasets']);

/** Whether all is seen that a plan is made on: what is wanted follows from all of it. */
const isWhole = ({ unseen }: Observation): boolean => unseen.every(({ resource }) => BESIDE.has(resource));

/** Why a child that is wanted is not there. */
function whyAbsent({ wanted }: Observation, id: string): readonly string[] {
  if (wanted === undefined) return [];
  const { plan, rendered } = wanted;
  if (plan.foreign.some(({ child }) => child.id === id)) {
    return ['An object of that name exists that is not its: delete or rename it, or rename the resource'];
  }
  const held = plan.waiting.find((one) => one.for === 'ready' && one.child.id === id);
  if (held?.for !== 'ready') return ['It is made next'];
  const names = rendered
    .filter((child) => held.ids.includes(child.id))
    .map(({ manifest: { kind, metadata } }) => nameOf({ kind, name: metadata.name }));
  return [`It is made once this is ready: ${names.join(', ')}`];
}

/** Makes a node of an object, with those that it owns below it. */
function growing(observation: Observation): (object: KubeObject) => StatusNode {
  const { objects, events, wanted, unseen } = observation;
  const seen = events.map(eventOf);
  const areEndpointsSeen = !unseen.some(({ resource }) => resource === 'endpointslices');
  const endpoints = areEndpointsSeen ? objects.filter(({ kind }) => kind === 'EndpointSlice') : undefined;
  const leaving = leavingIn(isWhole(observation) ? wanted?.plan : undefined);
  const outlooks = outlooksOf(observation);
  const owned = Map.groupBy(
    objects
      .filter((object) => object.kind !== 'EndpointSlice' && !isEmptyReplicaSet(object))
      .flatMap((object) => (object.metadata.ownerReferences ?? []).map(({ uid }) => ({ owner: uid, object }))),
    ({ owner }) => owner,
  );
  const grow = (object: KubeObject): StatusNode => {
    const { uid, name } = object.metadata;
    const below = (owned.get(uid) ?? []).map((one) => one.object).sort(byName);
    const pods = below.filter(({ kind }) => kind === 'Pod');
    const health = healthOf(object, { events: latest(seen, uid), endpoints, pods, outlook: outlooks.get(uid) });
    return { kind: object.kind, name, ...(leaving.get(uid) ?? health), children: below.map(grow) };
  };
  return grow;
}

/** What is no longer wanted and not being deleted yet, by UID. */
function leavingIn(plan: Plan | undefined): ReadonlyMap<string, Pick<StatusNode, 'state' | 'summary' | 'because'>> {
  const leaving = (plan?.leaving ?? []).filter((live) => !live.deleting);
  return new Map(
    leaving.map(({ uid }) => {
      const held = plan?.waiting.find((one) => one.for === 'unused' && one.live.uid === uid);
      const because = held?.for === 'unused' ? [`It goes once this is ready: ${held.ids.join(', ')}`] : [];
      return [uid, { state: 'leaving', summary: 'is no longer wanted', because }];
    }),
  );
}

/** A Deployment keeps those of its earlier templates. */
const isEmptyReplicaSet = ({ kind, spec }: KubeObject): boolean =>
  kind === 'ReplicaSet' && (spec as { readonly replicas?: number } | undefined)?.replicas === 0;

/** Rank 10 comes after rank 9. */
const byName = (a: KubeObject, b: KubeObject): number =>
  a.metadata.name.localeCompare(b.metadata.name, 'en', { numeric: true });

type Reported = Pick<DistributedTrainingStatus, 'objective' | 'tuning'>;

/** What came of a training, or of the best trial of a search, and the line that it was read from. */
export function resultOf(status: object | undefined): string | undefined {
  const { objective, tuning } = wholeStatus<Reported>(status);
  if (objective) return `${objective.metric}=${objective.value}${readFrom(objective.line)}`;
  if (!tuning?.best) return undefined;
  const { trial, value } = tuning.best;
  const line = tuning.trials.find(({ number }) => number === trial)?.line;
  return `the best is trial ${trial} with ${value}${readFrom(line)}`;
}

const readFrom = (line: string | undefined): string => (line === undefined ? '' : `, read from the line "${line}"`);
