import { afterEach, describe, expect, it, vi } from 'vitest';
import { operate, type OperateOptions } from '../../../operator/operate.ts';
import { WebApp } from '../../support/web-app.ts';

afterEach(() => vi.unstubAllEnvs());

/** Nothing listens there. */
const connection = { from: 'fixed', connection: { url: 'https://127.0.0.1:1', namespace: 'acme' } } as const;

const run = async (options: Partial<OperateOptions>) =>
  operate({ name: 'acme-operator', kinds: [WebApp], connection, port: 0, signal: AbortSignal.abort(), ...options });

describe('an operator that can not be run as it is told says so before all else', () => {
  it.each<readonly [string, Partial<OperateOptions>, string]>([
    ['for its name', { name: 'Acme' }, 'name: must be a DNS label'],
    ['for its domain', { domain: 'acme dev' }, 'domain: must be a DNS name'],
    ['where it has no kinds', { kinds: [] }, 'kinds: must be the kinds to run'],
    ['where two kinds have one label', { kinds: [WebApp, WebApp] }, 'two of them have the label webapp'],
  ])('%s', async (_, options, words) => {
    await expect(run(options)).rejects.toThrow(words);
  });

  it.each([
    ['PORT', 'http', 'the variable PORT of the environment must be a port from 0 to 65535; got "http"'],
    ['PORT', '65536', 'must be a port'],
    ['LOG_LEVEL', 'loud', 'must be one of debug, info, warn, error, silent; got "loud"'],
  ])('for the variable %s: %s', async (name, value, words) => {
    vi.stubEnv(name, value);
    await expect(
      operate({ name: 'acme-operator', kinds: [WebApp], connection, signal: AbortSignal.abort() }),
    ).rejects.toThrow(words);
  });
});

it('an operator that is told to end before it begins does nothing', async () => {
  await expect(run({})).resolves.toBeUndefined();
});
