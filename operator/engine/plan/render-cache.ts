import { hash } from 'node:crypto';
import { decorate } from './decorate.ts';
import type { DesiredState, Identity, Kind, Resource } from '../api/index.ts';
import type { DesiredChild } from './plan.ts';

/**
 * Of so many resources the last render is kept: those of a large start, each of which has a pass for every step of its
 * pods. They come in turns, so that to keep fewer than there are would be to keep none in time.
 */
const KEPT = 1_000;

/** What a render takes of a kind. */
type RenderedKind<R extends Resource, State> = Pick<Kind<R, State>, 'render' | 'label'>;

interface Kept {
  /** A digest of what the render depends on. */
  readonly of: string;
  /** Without their manifests: a few hundred bytes of some thousands. */
  readonly outlines: readonly DesiredState[];
}

/**
 * The last renders of a kind. To render is the dearest part of a pass that finds nothing to do, and what is rendered
 * depends on little that changes: the spec, by its generation, the labels and annotations, and what the reconcile says.
 * What such a pass looks at is kept; the manifests are rendered again where something is to be written.
 */
export class RenderCache<R extends Resource, State> {
  readonly #kind: RenderedKind<R, State>;
  readonly #identity: Identity;
  /** In the order in which they were last asked for. */
  readonly #kept = new Map<string, Kept>();

  constructor(kind: RenderedKind<R, State>, identity: Identity) {
    this.#kind = kind;
    this.#identity = identity;
  }

  /** The children of a resource. Throws a SpecError where the spec can't work. */
  of(resource: R, state: State): readonly DesiredChild[] {
    const { uid, generation, labels, annotations } = resource.metadata;
    const of = hash('sha256', JSON.stringify([generation, labels, annotations, state]), 'base64url');
    const known = this.#kept.get(uid);
    let rendered: readonly DesiredChild[] | undefined;
    const children = () => (rendered ??= this.#render(resource, state));
    const outlines = known?.of === of ? known.outlines : children().map(outlineOf);
    this.#keep(uid, { of, outlines });
    return outlines.map((outline, place) => ({
      ...outline,
      get manifest() {
        return (children()[place] as DesiredChild).manifest;
      },
    }));
  }

  #keep(uid: string, kept: Kept): void {
    this.#kept.delete(uid);
    this.#kept.set(uid, kept);
    const [oldest = uid] = this.#kept.keys();
    if (this.#kept.size > KEPT) this.#kept.delete(oldest);
  }

  #render(resource: R, state: State): readonly DesiredChild[] {
    return this.#kind.render(resource, state).map((child) => decorate(child, resource, this.#kind, this.#identity));
  }
}

const outlineOf = ({ manifest: _manifest, ...outline }: DesiredChild): DesiredState => outline;
