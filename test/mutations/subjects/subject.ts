import type { RenderedChild } from '../../../constructs/index.ts';
import type { Json, JsonObject } from '../../../constructs/schema/json.ts';
import type { KindSchema } from '../../../constructs/schema/kind.ts';

/** The home of all that the pods of every kind may have. A field that excludes one of them has another home. */
export const PODS = 'all that pods may have';

/** A kind, as the campaign sees it. */
export interface Subject {
  readonly kind: KindSchema;
  /** Specs that together have every property, each with values that the rest of the spec allows; by what they show. */
  readonly homes: Readonly<Record<string, JsonObject>>;
  /** More values, of the properties whose path ends so, that are valid by rules which a schema can't say. */
  readonly values: Readonly<Record<string, readonly Json[]>>;
  /** Properties that change no manifest of a static host, with all that is in them, and why. */
  readonly silent: Readonly<Record<string, string>>;
  /**
   * Fields in the spec of children, by their kind, that stay as they were made.
   *
   * @default - none
   */
  readonly kept?: Readonly<Record<string, readonly string[]>>;
  /** What only time can tell, as a status tells it; several where a resource may be on its way from one to the other. */
  statesOf(spec: JsonObject, status: JsonObject): readonly object[];
  /**
   * What a host renders.
   *
   * @param state - of the operator; undefined in a static host
   */
  render(name: string, namespace: string, spec: JsonObject, state?: object): readonly RenderedChild[];
}
