import { afterEach, describe, expect, test, vi } from 'vitest';
import { settingsOf } from '../../../cli/kube/client.ts';
import { forgetEmptyVariables } from '../../../cli/variables.ts';
import { connect } from '../../../operator/kube/index.ts';
import { trunnion } from '../../support/trunnion.ts';

afterEach(() => vi.unstubAllEnvs());

describe('an empty variable is as good as none:', () => {
  test('a command forgets it before anything reads it, and a list of files that names none', async () => {
    const env = { HTTPS_PROXY: '', TMPDIR: '', NO_COLOR: '', KUBECONFIG: '::', HOME: '/home/ann', PATH: ':/bin' };
    forgetEmptyVariables(env);
    expect(env).toEqual({ HOME: '/home/ann', PATH: ':/bin' });
    vi.stubEnv('POD_NAMESPACE', '');
    const { stdout } = await trunnion(['operator', '--help']);
    expect(stdout).toContain('--lease-namespace');
    expect(process.env).not.toHaveProperty('POD_NAMESPACE');
  });

  test.each<[Readonly<Record<string, string>>, string]>([
    [{ KUBECONFIG: '', KUBERNETES_SERVICE_HOST: '10.0.0.1' }, 'cluster'],
    [{ KUBECONFIG: '/home/ann/config', KUBERNETES_SERVICE_HOST: '10.0.0.1' }, 'kubeconfig'],
    [{ KUBECONFIG: '', KUBERNETES_SERVICE_HOST: '' }, 'kubeconfig'],
  ])('with %j the settings come from a %s', (env, from) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect(settingsOf({})).toMatchObject({ from });
  });

  test.each(['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'])(
    'without a %s there is no cluster',
    async (name) => {
      for (const each of ['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'])
        vi.stubEnv(each, each === name ? '' : '1');
      await expect(connect({ from: 'cluster' }).current()).rejects.toThrow(/^not in a cluster/);
    },
  );
});
