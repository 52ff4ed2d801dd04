import type { Kind } from '../../operator/engine/api/index.ts';
import { type KindSettings, ownKindsWith } from '../../operator/kinds/index.ts';
import { compatKind } from './kind.ts';
import { translations } from './translations.ts';

/** Kinds under the settings of an administrator. */
export interface KindSet {
  /** The kinds of our own. */
  readonly kinds: readonly Kind[];
  /** All kinds that the operator runs: those of earlier operators where their CRDs are installed. */
  readonly allKinds: readonly Kind[];
}

/**
 * The kinds under the settings of an administrator. Earlier operators' kinds are run by ours, under the same settings.
 *
 * @throws SpecError where an entry of a list can't be the key of an annotation
 */
export function kindsWith(settings: KindSettings): KindSet {
  const { kinds: own, hold } = ownKindsWith(settings);
  const earlier = translations.map((translation) => compatKind({ ...translation, kind: hold(translation.kind) }));
  return { kinds: own, allKinds: [...own, ...earlier] };
}

/** The kinds under the default settings. */
export const { kinds, allKinds } = kindsWith({});
