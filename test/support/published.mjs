// For programs that tests start: what they import by the names of the published packages is here.
import { registerHooks } from 'node:module';

const ROOT = new URL('../../', import.meta.url);
const PUBLISHED = { 'trunnion-operator': 'operator/index.ts', 'trunnion-operator/testing': 'testing/index.ts' };

registerHooks({
  resolve: (specifier, context, next) =>
    next(Object.hasOwn(PUBLISHED, specifier) ? new URL(PUBLISHED[specifier], ROOT).href : specifier, context),
});
