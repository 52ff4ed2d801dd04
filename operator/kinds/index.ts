import { allowedAnnotations, type AllowedAnnotationsInput } from '../../constructs/parts/annotations/index.ts';
import type { Kind } from '../engine/kind.ts';
import { agentService } from './agent-service/index.ts';
import { existingKindsWith } from './existing/index.ts';
import { distributedTraining } from './distributed-training/index.ts';
import { modelServing } from './model-serving/index.ts';
import { judged } from './shared/annotations.ts';

/** What an administrator decides about kinds. */
export interface KindSettings {
  /**
   * The annotations that users may have put on objects, by class: keys, beginnings of keys with a `*`, and `+default` for
   * the default of the class.
   *
   * @default - those that change how the very object behaves, and nothing else: see docs/reference/annotations.md
   */
  readonly allowedAnnotations?: AllowedAnnotationsInput;
}

/** Kinds under the settings of an administrator. */
export interface KindSet {
  /** The kinds of our own. */
  readonly kinds: readonly Kind[];
  /** All kinds that the operator runs: those of earlier operators where they are installed. */
  readonly allKinds: readonly Kind[];
}

/**
 * The kinds under the settings of an administrator.
 *
 * @throws SpecError where an entry of a list can't be the key of an annotation
 */
export function kindsWith({ allowedAnnotations: input }: KindSettings): KindSet {
  const allowed = allowedAnnotations(input);
  const judge = (kind: Kind): Kind => judged(kind, allowed);
  const ours = ([modelServing, agentService, distributedTraining] as readonly Kind[]).map(judge);
  return { kinds: ours, allKinds: [...ours, ...existingKindsWith(judge)] };
}

/** The kinds under the default settings. */
export const { kinds, allKinds } = kindsWith({});
