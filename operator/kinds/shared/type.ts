import { type KindSchema, VERSION } from '../../../constructs/schema/kind.ts';
import type { ResourceType } from '../../engine/api/index.ts';

/** The type of the resources of a kind. */
export const typeOf = ({ group, kind, plural }: Pick<KindSchema, 'group' | 'kind' | 'plural'>): ResourceType => ({
  group,
  version: VERSION,
  kind,
  plural,
});
