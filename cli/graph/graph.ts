import type { Rendered } from '../render/render.ts';
import { largest } from '../../constructs/parts/values/index.ts';

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
  /** What is special about it: that it outlives its resource, that others own a field. */
  readonly notes: readonly string[];
}

/** The objects of a resource, in the order in which they are made. */
export interface Graph {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly nodes: readonly GraphNode[];
}

/** The objects that a resource turns into, and their order. */
export function graphOf({ resource, children }: Pick<Rendered, 'resource' | 'children'>): Graph {
  const waves = new Map<string, number>();
  const nodes = children.map(({ id, manifest, after, retain, unmanagedFields }): GraphNode => {
    const wave =
      largest(
        after.map((other) => waves.get(other) ?? 0),
        -1,
      ) + 1;
    waves.set(id, wave);
    return {
      id,
      kind: manifest.kind,
      name: manifest.metadata.name,
      wave,
      after,
      notes: [...(retain ? ['outlives it'] : []), ...unmanagedFields.map((path) => `others own ${path}`)],
    };
  });
  const { namespace = '', name } = resource.metadata;
  return { kind: resource.kind, namespace, name, nodes };
}
