export type { KindSettings } from '../../operator/kinds/index.ts';
export { equivalentOf } from './equivalent.ts';
export { allKinds, kinds, kindsWith, type KindSet } from './kind-set.ts';
export { compatKind, optionalType } from './kind.ts';
export { COMPAT_SCHEMAS } from './schemas.ts';
export { rememberedIn } from './status.ts';
export type { Translation } from './translation.ts';
export { translations } from './translations.ts';
