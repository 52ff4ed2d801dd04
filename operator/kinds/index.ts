import { allowedAnnotations, type AllowedAnnotationsInput } from '../../constructs/parts/annotations/index.ts';
import { NO_FETCHER_IMAGE } from '../../constructs/parts/weights/index.ts';
import type { Kind } from '../engine/api/index.ts';
import { agentService } from './agent-service/index.ts';
import { distributedTraining } from './distributed-training/index.ts';
import { modelServing, modelServingWith } from './model-serving/index.ts';
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
  /**
   * An image with the fetcher of weights in it, as the operator's own has it; `none` is the default.
   *
   * @default - a public image of Node.js, and a ConfigMap with the program beside each model
   */
  readonly fetcherImage?: string | undefined;
}

/** Our kinds under the settings of an administrator. */
export interface OwnKinds {
  readonly kinds: readonly Kind[];
  /** Holds a kind that runs as one of ours to the same settings. */
  readonly hold: (kind: Kind) => Kind;
}

/**
 * The kinds of our own under the settings of an administrator.
 *
 * @throws SpecError where an entry of a list can't be the key of an annotation
 */
export function ownKindsWith({ allowedAnnotations: input, fetcherImage }: KindSettings): OwnKinds {
  const allowed = allowedAnnotations(input);
  // Empty, or none: nothing is pinned, and a ConfigMap brings the program.
  const isSet = fetcherImage !== '' && fetcherImage !== NO_FETCHER_IMAGE;
  const serving: Kind = modelServingWith({ fetcherImage: isSet ? fetcherImage : undefined });
  const hold = (kind: Kind): Kind => judged(kind === modelServing ? serving : kind, allowed);
  return { kinds: ([modelServing, agentService, distributedTraining] as readonly Kind[]).map(hold), hold };
}
