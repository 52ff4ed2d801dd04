/** The rules that are ours alone; `.oxlintrc.json` loads them: about work whose size comes from outside, and about rooms. */
import { noBuiltRegexp } from './no-built-regexp.ts';
import { noUnboundedSpread } from './no-unbounded-spread.ts';
import { oneDoor } from './one-door.ts';

export default {
  meta: { name: 'trunnion' },
  rules: { 'no-built-regexp': noBuiltRegexp, 'no-unbounded-spread': noUnboundedSpread, 'one-door': oneDoor },
};
