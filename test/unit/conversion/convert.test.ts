import { describe, expect, test } from 'vitest';
import type { KindSchema } from '../../../constructs/schema/kind.ts';
import { convertObject } from '../../../operator/conversion/convert.ts';
import { parseJson } from '../../../operator/kube/index.ts';
import { plain, webApp } from './support/kinds.ts';

const METADATA = {
  name: 'front',
  namespace: 'shop',
  uid: '1',
  labels: { a: 'b' },
  managedFields: [{ manager: 'kubectl' }],
};

const resource = (version: string, spec?: unknown) => ({
  apiVersion: `acme.dev/${version}`,
  kind: 'WebApp',
  metadata: METADATA,
  ...(spec !== undefined && { spec }),
  status: { url: 'http://front' },
});

const OLD = { repository: 'nginx', tag: '1', service: { port: 80 }, env: { A: 'b' } };
const NEW = { image: 'nginx:1', port: 80, env: [{ name: 'A', value: 'b' }] };

test.for([
  ['v1beta1', 'v1', OLD, NEW],
  ['v1', 'v1beta1', NEW, OLD],
  ['v1beta1', 'v1alpha1', OLD, NEW],
  ['v1alpha1', 'v1beta1', NEW, OLD],
  ['v1', 'v1alpha1', NEW, NEW],
  ['v1', 'v1', NEW, NEW],
  ['v1beta1', 'v1', {}, {}],
  ['v1', 'v1beta1', {}, {}],
  ['v1', 'v1beta1', null, null],
] as const)('a %s becomes a %s: its spec is converted, all else is kept', ([from, to, spec, converted]) => {
  expect(convertObject(resource(from, spec), `acme.dev/${to}`, [plain, webApp])).toEqual(resource(to, converted));
});

test('an object without a spec has only its version changed', () => {
  expect(convertObject(resource('v1beta1'), 'acme.dev/v1', [webApp])).toEqual(resource('v1'));
});

test('an object without metadata gets some, since the API server refuses an answer without', () => {
  const object = { apiVersion: 'acme.dev/v1', kind: 'WebApp' };
  expect(convertObject(object, 'acme.dev/v1beta1', [webApp])).toEqual({
    apiVersion: 'acme.dev/v1beta1',
    kind: 'WebApp',
    metadata: {},
  });
});

test.for([
  [
    resource('v1', NEW),
    'acme.dev/v3',
    "WebApp shop/front can't be converted from acme.dev/v1 to acme.dev/v3: the versions of WebApp are v1, v1beta1, v1alpha1",
  ],
  [resource('v9', NEW), 'acme.dev/v1', 'the versions of WebApp are v1, v1beta1, v1alpha1'],
  [
    { ...resource('v1', NEW), apiVersion: 'other.dev/v1' },
    'acme.dev/v1',
    'resources of WebApp are of the group acme.dev',
  ],
  [
    { ...resource('v1', NEW), kind: 'Other' },
    'acme.dev/v1',
    'this operator converts Plain of acme.dev, WebApp of acme.dev',
  ],
  [resource('v1', NEW), 'other.dev/v1', 'this operator converts'],
  [resource('v1', NEW), '', 'to (nothing): this operator converts'],
  [resource('v1', 'text'), 'acme.dev/v1beta1', 'spec must be an object'],
  [resource('v1', [1]), 'acme.dev/v1beta1', 'spec must be an object'],
  [{}, 'acme.dev/v1', "(nothing) can't be converted from (nothing) to acme.dev/v1"],
  [{ apiVersion: 1, kind: {}, metadata: 'x' }, 'acme.dev/v1', 'this operator converts'],
  [null, 'acme.dev/v1', 'an object to convert must be a JSON object'],
  ['text', 'acme.dev/v1', 'an object to convert must be a JSON object'],
  [[], 'acme.dev/v1', 'an object to convert must be a JSON object'],
] as const)('%j is not converted to %s', ([object, desired, message]) => {
  expect(() => convertObject(object, desired, [plain, webApp])).toThrow(message);
});

/** The kind with a function of its own for v1beta1. */
const withFunction = (toStored: (spec: never) => unknown): KindSchema => ({
  ...webApp,
  versions: webApp.versions.map((version) => (version.name === 'v1beta1' ? { ...version, toStored } : version)),
});

const converting = (toStored: (spec: never) => unknown, spec: unknown = OLD) =>
  convertObject(resource('v1beta1', spec), 'acme.dev/v1', [withFunction(toStored)])['spec'];

class Spec {
  readonly image = 'nginx';
}

describe('a function of a kind', () => {
  test.for<[string, (spec: never) => unknown, string]>([
    [
      'throws an error',
      () => {
        throw new RangeError('no port');
      },
      'toStored of v1beta1 failed: RangeError: no port',
    ],
    [
      'throws a text',
      () => {
        throw 'no port';
      },
      'toStored of v1beta1 failed: no port',
    ],
    [
      'throws what has no text',
      () => {
        throw Object.create(null);
      },
      'it threw something that has no text',
    ],
    [
      'throws terminal controls',
      () => {
        throw new Error('\u001B[31mred\u0007');
      },
      'Error: red␇',
    ],
    [
      'relies on a field',
      (spec: { image: { length: number } }) => ({ n: spec.image.length }),
      'toStored of v1beta1 failed: TypeError',
    ],
    [
      'loops',
      () => {
        for (;;);
      },
      'toStored of v1beta1 failed: took more than 500 ms',
    ],
    ['is asynchronous', async () => ({}), 'toStored of v1beta1 is asynchronous'],
    ['is rejected', () => Promise.reject(new Error('later')), 'toStored of v1beta1 is asynchronous'],
    ['returns nothing', () => undefined, 'toStored of v1beta1 must return a spec, which is an object'],
    ['returns a text', () => 'nginx', 'must return a spec'],
    ['returns a list', () => [], 'must return a spec'],
    ['returns a Date', () => ({ at: new Date(0) }), 'spec.at is a Date, and JSON has no such value'],
    ['returns a Map', () => ({ env: [new Map()] }), 'spec.env[0] is a Map'],
    ['returns an object of a class', () => ({ spec: new Spec() }), 'spec.spec is a Spec'],
    ['returns a function', () => ({ make: () => 1 }), 'spec.make is of type function'],
    ['returns a promise in a field', () => ({ image: Promise.resolve('x') }), 'spec.image is a promise'],
    ['returns NaN', () => ({ port: Number.NaN }), 'spec.port is NaN'],
    ['returns an infinite number', () => ({ port: Infinity }), 'spec.port is Infinity'],
    ['returns a bigint', () => ({ port: 80n }), 'spec.port is of type bigint'],
    ['returns a list with a gap', () => ({ env: [undefined] }), 'spec.env[0] is of type undefined'],
    [
      'returns what holds itself',
      () => {
        const spec: Record<string, unknown> = {};
        spec['inner'] = spec;
        return spec;
      },
      'is more than 100 levels deep, or holds itself',
    ],
    [
      'throws when its answer is read',
      () => ({
        get image() {
          throw new Error('gone');
        },
      }),
      'failed: Error: gone',
    ],
  ])('that %s converts nothing', ([, toStored, message]) => {
    expect(() => converting(toStored)).toThrow(message);
  });

  test('may leave fields undefined', () => {
    expect(converting(() => ({ image: 'a', port: undefined }))).toEqual({ image: 'a' });
  });

  test('may change what it is given: the request stays as it is', () => {
    const spec = { repository: 'nginx', env: { A: 'b' } };
    const toStored = (given: { env: Record<string, string> }) => {
      given.env['B'] = 'c';
      return given;
    };
    expect(converting(toStored as (spec: never) => unknown, spec)).toEqual({
      repository: 'nginx',
      env: { A: 'b', B: 'c' },
    });
    expect(spec).toEqual({ repository: 'nginx', env: { A: 'b' } });
  });

  test('passes on an integer that JavaScript does not have, digit for digit', () => {
    const spec = parseJson('{"big": 9223372036854775807}');
    expect(JSON.stringify(converting((given) => ({ moved: (given as { big: unknown }).big }), spec))).toBe(
      '{"moved":9223372036854775807}',
    );
  });

  test('keeps names of fields that mean something to JavaScript', () => {
    const spec: unknown = JSON.parse('{"env": {"__proto__": "a", "constructor": "b"}}');
    expect(JSON.stringify(converting((given) => given, spec))).toBe('{"env":{"__proto__":"a","constructor":"b"}}');
  });
});
