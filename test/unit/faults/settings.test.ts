import { describe, expect, it } from 'vitest';
import { checkFit } from '../../../testing/faults/misfit.ts';
import type { FaultsOptions } from '../../../testing/faults/options.ts';
import { parseExchange } from '../../../testing/faults/proxy/exchange.ts';
import type { FaultProxy } from '../../../testing/faults/proxy/proxy.ts';
import { FaultsError } from '../../../testing/faults/error.ts';
import { checkOptions, programOf } from '../../../testing/faults/settings.ts';

const TYPE = { group: 'acme.dev', version: 'v1', kind: 'WebApp', plural: 'webapps' };

const right: FaultsOptions = {
  operator: { command: ['operator'] },
  kinds: [TYPE],
  scenario: [{ name: 'create', apply: [] }],
};

describe('the options of a campaign', () => {
  it('are taken where they are right', () => {
    expect(() => checkOptions({ ...right, ignore: ['Secret/*.data.*'] })).not.toThrow();
  });

  it('are refused with all that is wrong, and what to do', () => {
    const wrong: FaultsOptions = {
      operator: { command: [], cwd: '/no/such/folder' },
      kinds: [],
      scenario: [{ name: 'a' }, { name: 'a' }],
      parallel: 0,
      minutes: -1,
      ignore: ['*a*b*c*d'],
    };
    expect(() => checkOptions(wrong)).toThrow(FaultsError);
    for (const words of [
      'operator.command is empty. Give the program',
      'operator.cwd is /no/such/folder, and there is no such folder.',
      'kinds is empty. Give the kinds',
      'two steps of the name "a"',
      'parallel is 0. Give a number above 0.',
      'minutes is -1.',
      'ignore has "*a*b*c*d". A path may have "*" 3 times at most.',
    ]) {
      expect(() => checkOptions(wrong)).toThrow(words);
    }
    expect(() => checkOptions({ ...right, scenario: [] })).toThrow('scenario is empty');
  });
});

describe('the program of an operator', () => {
  const place = { namespace: 'n', kubeconfig: '/k', directory: '/d', proxyPort: '1', port: 2 };

  it('learns where to work by its environment, and not from a pod that the campaign runs in', () => {
    const { launch, probe } = programOf({ command: ['a', 'b'], env: { MORE: '1' }, ready: '/readyz', cwd: '/w' });
    expect(launch(place)).toEqual({
      command: ['a', 'b'],
      cwd: '/w',
      env: {
        KUBECONFIG: '/k',
        WATCH_NAMESPACE: 'n',
        POD_NAMESPACE: 'n',
        PORT: '2',
        KUBERNETES_SERVICE_HOST: undefined,
        KUBERNETES_SERVICE_PORT: undefined,
        MORE: '1',
      },
    });
    expect(probe?.(place)).toBe('http://127.0.0.1:2/readyz');
  });

  it('may be given its place by functions', () => {
    const { launch, probe } = programOf({
      command: ({ namespace, port }) => ['manager', `--namespace=${namespace}`, `--health-probe-bind-address=:${port}`],
      env: ({ kubeconfig }) => ({ CONFIG: kubeconfig }),
      ready: ({ port }) => `http://127.0.0.1:${port}/ok`,
    });
    expect(launch(place).command).toEqual(['manager', '--namespace=n', '--health-probe-bind-address=:2']);
    expect(launch(place).env).toMatchObject({ CONFIG: '/k' });
    expect(probe?.(place)).toBe('http://127.0.0.1:2/ok');
  });
});

describe('an operator that reaches beyond its namespace', () => {
  const world = (...requests: readonly (readonly [string, string])[]) => ({
    namespace: 'mine',
    proxy: {
      log: requests.map(([method, path]) => ({ exchange: parseExchange(method, path), status: 200, at: 0 })),
    } as unknown as FaultProxy,
  });
  const company = { types: [TYPE], isAlone: false };
  const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/acme';

  it.each([
    [[['GET', '/apis/acme.dev/v1/webapps?watch=1']], "set scope: 'Cluster'"],
    [[['GET', '/apis/acme.dev/v1/webapps']], 'webapps of all namespaces'],
    [[['PUT', LEASE]], 'the Lease kube-system/acme'],
  ] as const)('is told what to do: %j', (requests, words) => {
    expect(() => checkFit(world(...requests), company)).toThrow(words);
    expect(() => checkFit(world(...requests), { ...company, isAlone: true })).not.toThrow();
  });

  it.each([
    [[['GET', '/apis/acme.dev/v1/namespaces/mine/webapps?watch=1']]],
    [[['GET', '/api/v1/nodes?watch=1']]],
    [[['GET', LEASE]]],
    [[['PUT', '/apis/coordination.k8s.io/v1/namespaces/mine/leases/acme']]],
  ] as const)('is not one that sends %j', (requests) => {
    expect(() => checkFit(world(...requests), company)).not.toThrow();
  });
});
