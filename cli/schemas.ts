import { KINDS } from '../constructs/kinds.ts';
import type { KindSchema } from '../constructs/schema/kind.ts';
import { COMPAT_SCHEMAS } from '../compat/kinds/index.ts';

/** The schemas of all kinds, our own first. */
export const SCHEMAS: readonly KindSchema[] = [...KINDS, ...COMPAT_SCHEMAS];

/** Whether a kind may be called so: by its name, its plural or a short name, in any case. */
export const isCalled = ({ kind, plural, shortNames }: KindSchema, word: string): boolean =>
  [kind.toLowerCase(), plural, ...shortNames].includes(word.toLowerCase());
