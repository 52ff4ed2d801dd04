import type { KindSchema } from '../../../constructs/schema/kind.ts';
import type { ResourceType } from '../../engine/api/index.ts';

/** The type of the resources of a kind, in the version that is stored. */
export const typeOf = ({
  group,
  version,
  kind,
  plural,
}: Pick<KindSchema, 'group' | 'version' | 'kind' | 'plural'>): ResourceType => ({ group, version, kind, plural });
