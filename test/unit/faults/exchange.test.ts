import { describe, expect, it } from 'vitest';
import { parseExchange } from '../../../testing/faults/proxy/exchange.ts';
import { matches, RuleBook } from '../../../testing/faults/proxy/rules.ts';

const APPLY = 'application/apply-patch+yaml';

describe('a request as the rules see it', () => {
  it.each([
    [
      'GET',
      '/api/v1/namespaces/a/pods/p/log',
      '',
      { verb: 'get', group: '', resource: 'pods', namespace: 'a', name: 'p', subresource: 'log', write: false },
    ],
    [
      'GET',
      '/apis/apps/v1/deployments?watch=true',
      '',
      { verb: 'watch', group: 'apps', resource: 'deployments', namespace: undefined, write: false },
    ],
    ['GET', '/apis/apps/v1/namespaces/a/deployments', '', { verb: 'list', namespace: 'a', name: undefined }],
    ['GET', '/api/v1/namespaces/a', '', { verb: 'get', resource: 'namespaces', name: 'a', namespace: undefined }],
    ['PATCH', '/api/v1/namespaces/a/services/s', APPLY, { verb: 'apply', name: 's', write: true }],
    ['PATCH', '/api/v1/namespaces/a/services/s?dryRun=All', APPLY, { verb: 'apply', write: false }],
    [
      'PATCH',
      '/apis/trunnion.dev/v1alpha1/namespaces/a/modelservings/m/status',
      'application/merge-patch+json',
      { verb: 'patch', subresource: 'status', write: true },
    ],
    [
      'PUT',
      '/apis/coordination.k8s.io/v1/namespaces/a/leases/l',
      '',
      { verb: 'update', resource: 'leases', write: false },
    ],
    ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', '', { verb: 'create', write: false }],
    ['POST', '/api/v1/namespaces/a/serviceaccounts/s/token', '', { subresource: 'token', write: false }],
    ['DELETE', '/api/v1/namespaces/a/secrets/s', '', { verb: 'delete', write: true }],
    ['GET', '/readyz', '', { verb: 'other', resource: undefined, group: undefined }],
  ])('reads %s %s', (method, url, contentType, expected) => {
    expect(parseExchange(method, url, contentType)).toMatchObject(expected);
  });
});

describe('rules', () => {
  const create = parseExchange('POST', '/api/v1/namespaces/a/services');

  it('tell what begins with all that exists from what continues', () => {
    const initial = [
      '/api/v1/pods',
      '/api/v1/pods?watch=1&sendInitialEvents=true',
      '/api/v1/pods?watch=1&resourceVersion=7',
    ];
    expect(initial.map((url) => matches({ initial: true }, parseExchange('GET', url)))).toEqual([true, true, false]);
  });

  it('match on what they name and on nothing else', () => {
    expect(matches({}, create)).toBe(true);
    expect(matches({ verb: ['create', 'apply'], resource: 'services', write: true }, create)).toBe(true);
    expect(matches({ subresource: null }, create)).toBe(true);
    expect(matches({ subresource: 'status' }, create)).toBe(false);
    expect(matches({ name: /^x/ }, create)).toBe(false);
    expect(matches({ namespace: 'b' }, create)).toBe(false);
    expect(matches({ initial: true }, create)).toBe(false);
    expect(matches({ initial: true }, parseExchange('GET', '/api/v1/pods?watch=1&sendInitialEvents=true'))).toBe(true);
  });

  it('let `skip` requests pass, strike `times`, and are spent', () => {
    const book = new RuleBook();
    const rule = {
      on: { verb: 'create' as const },
      fault: { do: 'delay' as const, milliseconds: 1 },
      skip: 1,
      times: 2,
    };
    book.add(rule);
    expect([1, 2, 3, 4].map(() => book.strike(create).length)).toEqual([0, 1, 1, 0]);
    expect(book.strikes).toBe(2);
  });

  it('of a step begin again with the next, and what they did still counts', () => {
    const book = new RuleBook();
    const rule = { on: {}, fault: { do: 'delay' as const, milliseconds: 1 }, skip: 1 };
    const strikes = () => [1, 2, 3].map(() => book.strike(create).length);
    book.step([rule]);
    expect(strikes()).toEqual([0, 1, 0]);
    book.step([rule]);
    expect(strikes()).toEqual([0, 1, 0]);
    book.step([]);
    expect(strikes()).toEqual([0, 0, 0]);
    expect(book.strikes).toBe(2);
  });
});
