import { decorate } from './decorate.ts';
import type { Kind, Resource } from './kind.ts';
import type { DesiredChild } from './plan.ts';

/** Resources whose pods are starting have a pass for each of their steps; what has been at rest may be rendered anew. */
const KEPT = 128;

/**
 * The last renders of a kind. To render is the dearest part of a pass that finds nothing to do, and what is rendered
 * depends on little that changes: the spec, by its generation, the labels and annotations, and what the conduct says.
 */
export class Renders<R extends Resource, Runtime> {
  readonly #kind: Pick<Kind<R, Runtime>, 'render'>;
  /** In the order in which they were last asked for. */
  readonly #kept = new Map<string, { readonly of: string; readonly children: readonly DesiredChild[] }>();

  constructor(kind: Pick<Kind<R, Runtime>, 'render'>) {
    this.#kind = kind;
  }

  /** The children of a resource. Throws a SpecError where the spec can't work. */
  of(resource: R, runtime: Runtime): readonly DesiredChild[] {
    const { uid, generation, labels, annotations } = resource.metadata;
    const of = JSON.stringify([generation, labels, annotations, runtime]);
    const known = this.#kept.get(uid);
    const children = known?.of === of ? known.children : this.#render(resource, runtime);
    this.#kept.delete(uid);
    this.#kept.set(uid, { of, children });
    const [oldest = uid] = this.#kept.keys();
    if (this.#kept.size > KEPT) this.#kept.delete(oldest);
    return children;
  }

  #render(resource: R, runtime: Runtime): readonly DesiredChild[] {
    return this.#kind.render(resource, runtime).map((child) => decorate(child, resource));
  }
}
