import type { Rendered } from '../render/render.ts';
import { largest } from '../../constructs/parts/values/index.ts';
import { podLines, podsOf } from './pods.ts';
import { keyOf, type ObjectRef, refOf, type Relation, relationsOf } from './relations.ts';

/** An object of a resource. */
export interface GraphNode {
  /** What it is to its resource: `deployment`. */
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** How many others must be ready one after the other before it is made: the column that it stands in. */
  readonly wave: number;
  /** Ids of those that must be ready before it is made. */
  readonly after: readonly string[];
  /** Its images, pods and GPUs. */
  readonly details: readonly string[];
  /** What is special about it: that it outlives its resource, that others own a field. */
  readonly notes: readonly string[];
}

/** The objects of a resource, in the order in which they are made. */
export interface Graph {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  /** Who has to do with whom: what its objects refer to, and the model that an agent asks. Some of it may be in no file. */
  readonly relations: readonly Relation[];
}

type Drawn = Pick<Rendered, 'kind' | 'resource' | 'children'>;

/** The objects of all resources, with what is between them. */
export function graphsOf(rendered: readonly Drawn[]): readonly Graph[] {
  const owned = rendered.map(({ children }) => new Set(children.map(({ manifest }) => keyOf(refOf(manifest)))));
  const relations = relationsOf(rendered.flatMap(({ children }) => children.map(({ manifest }) => manifest)));
  // A relation is drawn with the first resource that has an end of it.
  const drawnWith = Map.groupBy(relations, ({ from, to }) =>
    owned.findIndex((keys) => keys.has(keyOf(from)) || keys.has(keyOf(to))),
  );
  return rendered.map((each, index) => graphOf(each, [...(drawnWith.get(index) ?? []), ...models(each, rendered)]));
}

/** The workload of an agent asks the Service of its model; a model that isn't rendered is named as it is. */
function models({ kind, resource, children }: Drawn, all: readonly Drawn[]): readonly Relation[] {
  const { namespace = '' } = resource.metadata;
  const workloads = children.filter(({ manifest }) => podsOf(manifest) !== undefined);
  return (kind.references?.(resource) ?? []).flatMap((id) => {
    const [other = '', name = ''] = id.split('/');
    const model = all.find(
      ({ resource: { kind, metadata } }) =>
        kind === other && metadata.name === name && (metadata.namespace ?? '') === namespace,
    );
    const service = model?.children.find(({ manifest }) => manifest.kind === 'Service')?.manifest;
    const to: ObjectRef = service ? refOf(service) : { kind: other, namespace, name };
    // Without its model, the agent's workload may be left out.
    const self = { kind: resource.kind, namespace, name: resource.metadata.name };
    const askers = workloads.length > 0 ? workloads.map(({ manifest }) => refOf(manifest)) : [self];
    return askers.map((from) => ({ from, to, verb: 'asks' }));
  });
}

/** The objects that a resource turns into, and their order. */
function graphOf({ resource, children }: Drawn, relations: readonly Relation[]): Graph {
  const waves = new Map<string, number>();
  const nodes = children.map(({ id, manifest, after, retain, unmanagedFields }): GraphNode => {
    const wave =
      largest(
        after.map((other) => waves.get(other) ?? 0),
        -1,
      ) + 1;
    waves.set(id, wave);
    const pods = podsOf(manifest);
    return {
      id,
      kind: manifest.kind,
      name: manifest.metadata.name,
      wave,
      after,
      details: pods === undefined ? [] : podLines(pods),
      notes: [...(retain ? ['outlives it'] : []), ...unmanagedFields.map((path) => `others own ${path}`)],
    };
  });
  const { namespace = '', name } = resource.metadata;
  return { kind: resource.kind, namespace, name, nodes, relations };
}
