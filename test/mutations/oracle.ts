import type { Manifest, RenderedChild } from '../../constructs/index.ts';
import type { JsonObject } from '../../constructs/schema/json.ts';
import type { Kind } from '../../operator/engine/api/kind.ts';
import type { CommonStatus, Condition } from '../../operator/engine/api/resource.ts';
import type { KubeObject } from '../../operator/kube/client/types.ts';
import { appliedOf, byIdentity } from '../cluster/support/parity.ts';
import { difference } from './difference.ts';
import type { Subject } from './subjects/subject.ts';
import type { Watcher } from './watcher.ts';

/** One live resource of the campaign. */
export interface Live {
  readonly subject: Subject;
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  /** Of its spec, as the API server answered; a watch may be behind. */
  readonly generation: number;
}

/** How a resource stands to its spec. */
export type Convergence =
  /** Its children are what the construct renders. */
  | { readonly state: 'converged' }
  /** A condition says what keeps them from being so. */
  | { readonly state: 'reported'; readonly message: string }
  /** It has ended, as a training may. */
  | { readonly state: 'ended' }
  | { readonly state: 'not yet'; readonly why: string };

/** What the API server has: resources, and what the operator has made for them. */
export type Seen = Pick<Watcher, 'resource' | 'children'>;

/** What pods use, and so stays until those of the new template have taken the place of the old ones. */
const USED_BY_PODS: ReadonlySet<string> = new Set(['PersistentVolumeClaim', 'ConfigMap', 'ServiceAccount', 'Job']);

/** What the API server said of a child that it refused, as conditions tell it. */
const REFUSED = /could not be updated/;

/**
 * Compares the children of a resource with a fresh render of the spec.
 *
 * @param strict - whether nothing may be left of an earlier spec, though pods may still use it
 */
export function convergenceOf(watcher: Seen, live: Live, spec: JsonObject, strict: boolean): Convergence {
  const { kind, namespace, name } = live;
  const resource = watcher.resource(kind, namespace, name);
  if (resource === undefined) return { state: 'not yet', why: 'the resource is not there' };
  const status = (resource['status'] ?? {}) as JsonObject & CommonStatus;
  const { generation = 0 } = resource.metadata;
  if (generation < live.generation)
    return { state: 'not yet', why: `the watch is at generation ${generation}, not ${live.generation}` };
  if (status.observedGeneration !== generation)
    return { state: 'not yet', why: `status is of generation ${status.observedGeneration}, not ${generation}` };
  if (status['completionTime'] !== undefined) return { state: 'ended' };
  const [why] = differences(watcher, live, { spec, status, strict });
  if (why === undefined) return { state: 'converged' };
  const reported = refusalOf(resource);
  return reported === undefined ? { state: 'not yet', why } : { state: 'reported', message: reported };
}

/** Where the children differ from each render that may be; nothing where they are as one of them. */
function differences(
  watcher: Seen,
  { subject, kind, namespace, name }: Live,
  { spec, status, strict }: { readonly spec: JsonObject; readonly status: JsonObject; readonly strict: boolean },
): readonly string[] {
  const children = watcher.children(kind, namespace, name);
  const states = subject.statesOf(spec, status);
  const found = (strict ? states.slice(0, 1) : states).map((state) => {
    const rendered = subject.render(name, namespace, spec, state);
    const past = pastOf(rendered, children);
    const wanted = byIdentity(rendered.map(({ manifest }) => manifest).filter((each) => !past.has(identity(each))));
    const counting = children
      .filter((child) => !past.has(identity(child)))
      .filter((child) => identity(child) in wanted || !isRetained(child))
      .filter((child) => strict || identity(child) in wanted || !isHeldBack(child, children));
    return difference(changeable(wanted, subject), changeable(appliedOf(counting), subject));
  });
  return found.includes(undefined) ? [] : found.filter((each) => each !== undefined);
}

/** What stays as it ended, by the spec of that time: a trial that is over. */
function pastOf(rendered: readonly RenderedChild[], children: readonly KubeObject[]): ReadonlySet<string> {
  const live = new Set(children.map(identity));
  return new Set(
    rendered
      .flatMap(({ manifest, createOnly }) => (createOnly === true ? identity(manifest) : []))
      .filter((id) => live.has(id)),
  );
}

/** Children without the fields that stay as they were made. */
function changeable(children: Readonly<Record<string, Manifest>>, { kept = {} }: Subject): object {
  return Object.fromEntries(
    Object.entries(children).map(([name, child]) => {
      const spec = Object.entries((child['spec'] ?? {}) as JsonObject);
      const rest = spec.filter(([field]) => kept[child.kind]?.includes(field) !== true);
      return [name, { ...child, spec: Object.fromEntries(rest) }];
    }),
  );
}

const identity = ({
  kind,
  metadata,
}: {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}): string => `${kind}/${metadata.name}`;

/** Whether it is a volume that was to outlive the resource when its model was served: it has no owner, and stays. */
const isRetained = ({ kind, metadata }: KubeObject): boolean =>
  kind === 'PersistentVolumeClaim' && (metadata.ownerReferences ?? []).length === 0;

/** Whether it may still be needed: some workload has yet to roll. */
const isHeldBack = ({ kind }: KubeObject, children: readonly KubeObject[]): boolean =>
  USED_BY_PODS.has(kind) && children.some((child) => child.kind === 'Deployment' && !isRolledOut(child));

function isRolledOut({ spec, status, metadata }: KubeObject): boolean {
  const { replicas } = spec as { replicas: number };
  const {
    observedGeneration,
    updatedReplicas = 0,
    availableReplicas = 0,
    replicas: all = 0,
  } = (status ?? {}) as Record<string, number | undefined>;
  return (
    observedGeneration === metadata.generation &&
    updatedReplicas === replicas &&
    availableReplicas === replicas &&
    all === replicas
  );
}

/** What a condition says that the API server refused. */
function refusalOf({ status }: KubeObject): string | undefined {
  const { conditions = [] } = (status ?? {}) as { conditions?: readonly Condition[] };
  return conditions.find(({ message }) => REFUSED.test(message))?.message;
}
