import type { NAMINGS } from '../../constructs/parts/objects/index.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { BareStatus, CommonStatus, Kind, OptionalType, Resource } from '../../operator/engine/api/index.ts';
import type { Diagnosis } from '../../operator/kinds/shared/diagnosis-text.ts';

/** Other resources that one refers to, by `Kind/name`. */
export type Related = Readonly<Record<string, Resource>>;

/** What a resource that others specified is here. */
export interface Equivalent {
  /**
   * The spec of ours that is its equivalent, as a user would write it.
   *
   * @default - there is none yet, since what it refers to is not there
   */
  readonly spec?: object;
  /** Why a reference leads nowhere. */
  readonly missing?: Diagnosis;
  /** What of this must be in the status, to be known when it is gone. */
  readonly remembered?: object;
}

/** How the resources of a kind that others specified are resources of ours. All of it is pure. */
export interface Translation<Spec = unknown, OurStatus extends CommonStatus = CommonStatus> {
  /** The kind, and the kind of ours that its resources are. */
  readonly theirs: KindSchema;
  readonly ours: KindSchema;
  /** What runs the latter. */
  readonly kind: Kind;
  /**
   * The names and labels that its users rely on.
   *
   * @default - none but those of the resource itself
   */
  readonly naming?: keyof typeof NAMINGS;
  /** The kinds that its resources refer to, and how. */
  readonly refersTo?: readonly OptionalType[];
  references?(resource: Resource<Spec>): readonly string[];
  equivalentOf(resource: Resource<Spec>, related: Related): Equivalent;
  /** The field of theirs that a field of ours comes from, so that what is wrong is told where its user can correct it. */
  readonly origins: Readonly<Record<string, string>>;
  /**
   * What of our conditions' messages names a field of ours, and the same about the field of theirs.
   *
   * @default - nothing: fields that messages tell to change have the same names
   */
  readonly phrases?: Readonly<Record<string, string>>;
  /** Our status in the words of its users. */
  wordsOf(ours: BareStatus<OurStatus>, resource: Resource<Spec>): object;
}
