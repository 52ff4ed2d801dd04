/** The rules that are ours alone; `.oxlintrc.json` loads them. They are about work whose size comes from outside. */
import { noBuiltRegexp } from './no-built-regexp.ts';
import { noUnboundedSpread } from './no-unbounded-spread.ts';

export default {
  meta: { name: 'trunnion' },
  rules: { 'no-built-regexp': noBuiltRegexp, 'no-unbounded-spread': noUnboundedSpread },
};
