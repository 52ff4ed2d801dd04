import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { cacheFolder } from '../../../cluster/binaries.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['all empty', { TRUNNION_CACHE: '', XDG_CACHE_HOME: '', HOME: '/home/ann' }, '/home/ann/.cache/trunnion'],
  ['a home', { TRUNNION_CACHE: undefined, XDG_CACHE_HOME: undefined, HOME: '/home/ann' }, '/home/ann/.cache/trunnion'],
  ['no home', { TRUNNION_CACHE: '', XDG_CACHE_HOME: '', HOME: '' }, join(userInfo().homedir, '.cache/trunnion')],
  ["the user's own", { TRUNNION_CACHE: '', XDG_CACHE_HOME: '/var/cache/ann' }, '/var/cache/ann/trunnion'],
  ['a relative one', { TRUNNION_CACHE: '', XDG_CACHE_HOME: 'cache', HOME: '/home/ann' }, '/home/ann/.cache/trunnion'],
  ['ours', { TRUNNION_CACHE: '/var/trunnion', XDG_CACHE_HOME: '/var/cache/ann' }, '/var/trunnion'],
  ['ours, from here', { TRUNNION_CACHE: 'here' }, join(process.cwd(), 'here')],
])('the folder of what is built is absolute, and goes by the variables that are not empty: %s', (_, env, folder) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(cacheFolder()).toBe(folder);
});
