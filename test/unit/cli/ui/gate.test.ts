import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admitted, type Asked } from '../../../../cli/ui/gate.ts';
import { RequestError } from '../../../../cli/ui/request-error.ts';

const PLACE = { port: 4000, token: 'secret' };
const HOST = '127.0.0.1:4000';
const BEARER = { authorization: 'Bearer secret' };
const JSON_BODY = { 'content-type': 'application/json', 'content-length': '2' };

/** What the page sends, with what a test is about. */
const asked = ({ headers = {}, ...rest }: Partial<Asked> = {}): Asked => ({
  method: 'GET',
  target: '/api/overview',
  headers: { host: HOST, ...BEARER, ...headers },
  ...rest,
});

const statusOf = (request: Asked, place = PLACE): number => {
  try {
    admitted(request, place);
    return 200;
  } catch (error) {
    if (error instanceof RequestError) return error.status;
    throw error;
  }
};

test.for([
  ['the page', { target: '/' }, '/'],
  ['its script', { target: '/app.js' }, '/app.js'],
  ['what has a query', { target: '/api/overview?namespace=a' }, '/api/overview'],
  ['a question', { method: 'POST', target: '/api/chat', headers: JSON_BODY }, '/api/chat'],
] as const)('%s is let through to its path', ([, request, path]) => {
  expect(admitted(asked(request), PLACE)).toBe(path);
});

describe('the name of the server', () => {
  test.for([
    ['127.0.0.1:4000', 200],
    ['localhost:4000', 200],
    ['LOCALHOST:4000', 200],
    ['localhost:4001', 421],
    ['localhost', 421],
    ['127.0.0.1', 421],
    ['127.0.0.1:4000.example.com', 421],
    ['evil.example.com', 421],
    ['evil.example.com:4000', 421],
    ['127.0.0.2:4000', 421],
    ['[::1]:4000', 421],
    ['0.0.0.0:4000', 421],
    ['localhost.:4000', 421],
    ['localhost:4000, evil.example.com', 421],
    ['', 421],
    [undefined, 421],
  ] as const)('%s: %i', ([host, status]) => {
    expect(statusOf(asked({ headers: { host } }))).toBe(status);
    expect(statusOf(asked({ target: '/', headers: { host } }))).toBe(status);
  });

  test('of port 80 browsers leave it out', () => {
    expect(statusOf(asked({ headers: { host: 'localhost' } }), { ...PLACE, port: 80 })).toBe(200);
    expect(statusOf(asked({ headers: { host: 'evil.example.com' } }), { ...PLACE, port: 80 })).toBe(421);
  });

  test('of a tunnel with another port is refused with what to type', () => {
    expect(() => admitted(asked({ headers: { host: 'localhost:9000' } }), PLACE)).toThrow(
      'a tunnel must have the same port at both ends, as in ssh -L 4000:127.0.0.1:4000 HOST',
    );
  });
});

describe('another site', () => {
  test.for([
    ['no browser', {}, 200],
    ['the page itself', { 'sec-fetch-site': 'same-origin', origin: `http://${HOST}` }, 200],
    ['a person who types the address', { 'sec-fetch-site': 'none' }, 200],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }, 403],
    ['a value that nobody knows', { 'sec-fetch-site': 'new' }, 403],
    ['several values', { 'sec-fetch-site': 'same-origin, cross-site' }, 403],
    ['another origin', { origin: 'http://evil.example.com' }, 403],
    ['another port as origin', { origin: 'http://127.0.0.1:4001' }, 403],
    ['another name of this machine', { origin: 'http://localhost:4000' }, 403],
    ['TLS', { origin: `https://${HOST}` }, 403],
    ['a file or a frame in a sandbox', { origin: 'null' }, 403],
    [
      'a link, to what is no page',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      403,
    ],
  ] as const)('%s: %i', ([, headers, status]) => {
    expect(statusOf(asked({ headers }))).toBe(status);
  });

  test.for([
    ['a link to the page', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
    ['the page in a frame', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
    ['the page as data', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' }, 403],
  ] as const)('%s: %i', ([, mode, status]) => {
    const headers = { 'sec-fetch-site': 'cross-site', ...mode };
    expect(statusOf(asked({ target: '/', headers }))).toBe(status);
    expect(statusOf(asked({ target: '/app.js', headers }))).toBe(403);
  });
});

describe('the token', () => {
  test.for([
    ['Bearer secret', 200],
    ['Bearer secre', 401],
    ['Bearer secret ', 401],
    ['Bearer secretsecret', 401],
    ['Bearer SECRET', 401],
    ['Bearer ', 401],
    ['secret', 401],
    ['Basic c2VjcmV0', 401],
    ['', 401],
    [undefined, 401],
  ] as const)('%s: %i', ([authorization, status]) => {
    expect(statusOf(asked({ headers: { authorization } }))).toBe(status);
  });

  test('does not count in the query', () => {
    expect(statusOf(asked({ target: '/api/overview?token=secret', headers: { authorization: undefined } }))).toBe(401);
  });

  test('is asked for before anything is told of what there is', () => {
    const headers = { authorization: undefined };
    expect(statusOf(asked({ target: '/api/none', headers }))).toBe(401);
    expect(statusOf(asked({ target: '/api/chat', headers }))).toBe(401);
  });
});

describe('the path and the method', () => {
  test.for([
    ['GET', '/none', 404],
    ['GET', '/api/none', 404],
    ['GET', '/api/overview/', 404],
    ['GET', '/../etc/passwd', 404],
    ['GET', '//evil.example.com/api/overview', 404],
    ['GET', 'http://evil.example.com/api/overview', 404],
    ['GET', '/__proto__', 404],
    ['GET', '/constructor', 404],
    ['GET', '*', 404],
    ['GET', '', 404],
    ['HEAD', '/', 405],
    ['OPTIONS', '/api/overview', 405],
    ['POST', '/api/overview', 405],
    ['PUT', '/api/chat', 405],
    ['DELETE', '/api/resource', 405],
    ['TRACE', '/', 405],
    ['GET', '/api/chat', 405],
    ['GET', `/api/overview?namespace=${'a'.repeat(2048)}`, 414],
  ] as const)('%s %s: %i', ([method, target, status]) => {
    expect(statusOf(asked({ method, target }))).toBe(status);
  });
});

describe('a body', () => {
  test.for([
    ['application/json', '2', 200],
    ['application/json; charset=utf-8', '2', 200],
    ['Application/JSON', undefined, 200],
    ['application/jsonp', '2', 415],
    ['text/plain', '2', 415],
    ['application/x-www-form-urlencoded', '2', 415],
    ['multipart/form-data', '2', 415],
    ['text/plain; application/json', '2', 415],
    [undefined, '2', 415],
    ['application/json', String(2 ** 20), 200],
    ['application/json', String(2 ** 20 + 1), 413],
  ] as const)('%s of %s bytes: %i', ([type, length, status]) => {
    const headers = { 'content-type': type, 'content-length': length };
    expect(statusOf(asked({ method: 'POST', target: '/api/chat', headers }))).toBe(status);
  });
});

test('nobody is let through to data without the token, the name and the origin of this server', () => {
  const oneOf = (...values: readonly string[]) =>
    fc.option(fc.oneof(fc.constantFrom(...values), fc.string()), { nil: undefined });
  const headers = fc.record({
    host: oneOf(HOST, 'localhost:4000', 'evil.example.com'),
    origin: oneOf(`http://${HOST}`, 'http://localhost:4000', 'null'),
    authorization: oneOf('Bearer secret', 'Bearer other'),
    'sec-fetch-site': oneOf('same-origin', 'none', 'same-site', 'cross-site'),
    'sec-fetch-mode': oneOf('navigate', 'cors'),
    'sec-fetch-dest': oneOf('document', 'empty'),
    'content-type': oneOf('application/json', 'text/plain'),
  });
  const target = fc.oneof(
    fc.constantFrom('/', '/app.js', '/api/overview', '/api/chat', '/api/logs?a=b'),
    fc.webPath(),
    fc.string(),
  );
  const requests = fc.record({ method: fc.constantFrom('GET', 'POST', 'HEAD'), target, headers });
  fc.assert(
    fc.property(requests, (request) => {
      if (statusOf(request) !== 200) return;
      const { host = '', origin, authorization, 'sec-fetch-site': site } = request.headers;
      expect([HOST, 'localhost:4000']).toContain(host.toLowerCase());
      expect([undefined, `http://${host.toLowerCase()}`]).toContain(origin);
      if (!request.target.startsWith('/api/')) return;
      expect(authorization).toBe('Bearer secret');
      expect([undefined, 'none', 'same-origin']).toContain(site);
    }),
    { numRuns: 2_000 },
  );
});
