import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { configFrom } from '../../../fetcher/config.ts';
import { shortHash, weightsKey } from '../../../constructs/parts/weights/key.ts';
import {
  isFetched,
  MODEL_URI_PATTERN,
  parseModelUri,
  URI_CHARACTERS,
  URI_ENCODING,
} from '../../../constructs/parts/weights/uri.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { minimal } from '../../examples/model-serving/example.ts';

const succeeds = (action: () => unknown): boolean => {
  try {
    action();
    return true;
  } catch {
    return false;
  }
};

/** Whether the rules of the field let a URI in: every host and the API server run them. */
const admits = (uri: string): boolean =>
  succeeds(() =>
    parseSpec(modelServing, {
      name: 'llama',
      namespace: 'models',
      spec: { ...minimal, model: { uri }, storage: { size: '1Gi', accessMode: 'ReadWriteOnce' } },
    }),
  );

const parses = (uri: string): boolean => succeeds(() => parseModelUri(uri));

/** Whether the patterns of the rules match. */
const matches = (text: string): boolean =>
  [URI_CHARACTERS, URI_ENCODING, MODEL_URI_PATTERN].every((pattern) => new RegExp(pattern).test(text));

/** Whether the fetcher begins with it. */
const fetches = (uri: string): boolean =>
  succeeds(() => {
    for (const { source } of configFrom({ TRUNNION_URI: uri }).parts)
      if (source.scheme === 'https') new Request(source.url);
  });

const sha256 = 'a'.repeat(64);

test.each([
  [
    'hf://meta-llama/Meta-Llama-3-8B',
    { scheme: 'hf', owner: 'meta-llama', model: 'Meta-Llama-3-8B', revision: 'main' },
  ],
  ['huggingface://a/b@refs/pr/1', { scheme: 'hf', owner: 'a', model: 'b', revision: 'refs/pr/1' }],
  ['s3://models/llama-3-70b/', { scheme: 's3', bucket: 'models', prefix: 'llama-3-70b' }],
  ['s3://models', { scheme: 's3', bucket: 'models', prefix: '' }],
  ['gs://my_bucket/a/..b/.c', { scheme: 'gs', bucket: 'my_bucket', prefix: 'a/..b/.c' }],
  [
    `https://host:8443/d/model.tar.gz?sig=1#sha256=${sha256}`,
    { scheme: 'https', url: 'https://host:8443/d/model.tar.gz?sig=1', fileName: 'model.tar.gz', sha256 },
  ],
  ['https://[::1]/m.gguf', { scheme: 'https', url: 'https://[::1]/m.gguf', fileName: 'm.gguf' }],
  ['oci://ghcr.io/acme/model:v1', { scheme: 'oci', reference: 'ghcr.io/acme/model:v1' }],
  [`oci://r:5000/m@sha256:${sha256}`, { scheme: 'oci', reference: `r:5000/m@sha256:${sha256}` }],
  ['pvc://claim', { scheme: 'pvc', claim: 'claim', path: '' }],
  ['pvc://claim/a/b', { scheme: 'pvc', claim: 'claim', path: 'a/b' }],
])('%s is understood', (text, uri) => {
  expect(parseModelUri(text)).toEqual(uri);
  expect(matches(text)).toBe(true);
});

test.each([
  '',
  'meta-llama/Meta-Llama-3-8B',
  'hf://gpt2',
  'hf://a/b@',
  'hf://../b',
  's3://UPPER/x',
  's3://bucket/../other',
  's3://bucket/a//b',
  's3://bucket/a b',
  'gs://b/./x',
  'http://host/file',
  'https://host/',
  'https://host/a/..',
  'https://user:password@host/file',
  'https://host/file#md5=1',
  'oci://',
  'pvc://Claim',
  'pvc://claim/../other',
  'pvc://claim\n',
])('%j is refused, and the message says what is allowed', (text) => {
  expect(() => parseModelUri(text)).toThrow(/is not a model's URI; allowed are hf:\/\/owner\/model/);
  expect(matches(text)).toBe(false);
});

const HOSTS: readonly (readonly [string, boolean])[] = [
  ['h:1', true],
  ['h:443', true],
  ['h:65535', true],
  ['h:0', false],
  ['h:00443', false],
  ['h:65536', false],
  ['h:99999', false],
  ['h:-1', false],
  ['h:', false],
  ['h:4 43', false],
  ['user@h', false],
  ['user:password@h', false],
  ['h\\@elsewhere', false],
  ['a.b-c.2nd', true],
  ['xn--80ak6aa92e.com', true],
  ['аpple.com', false],
  ['a..b', false],
  ['a.', false],
  ['-a.b', false],
  ['a-.b', false],
  [`${'a'.repeat(63)}.b`, true],
  [`${'a'.repeat(64)}.b`, false],
  ['10.0.0.255', true],
  ['10.0.0.256', false],
  ['10.0.1', false],
  ['1.2.3.4.5', false],
  ['010.0.0.1', false],
  ['0x7f.1', false],
  ['2130706433', false],
  ['a.1', false],
  ['a.0x', false],
  ['[::1]:8443', true],
  ['[2001:db8::7]', true],
  ['[1:2:3:4:5:6:7:8]', true],
  ['[::]', true],
  ['[:::]', false],
  ['[1::2::3]', false],
  ['[1:2:3:4:5:6:7]', false],
  ['[12345::]', false],
  ['[fe80::1%25eth0]', false],
  ['[::1', false],
  ['h\u0007', false],
  ['h\u202e', false],
  ['', false],
];

test.each(HOSTS)('the host %j gets one answer from render, admission and the fetcher: %s', (host, allowed) => {
  const uri = `https://${host}/m.gguf`;
  expect({ rules: admits(uri), parser: parses(uri), fetcher: fetches(uri) }).toEqual({
    rules: allowed,
    parser: allowed,
    fetcher: allowed,
  });
});

test('http:// is refused by all of them', () => {
  const uri = 'http://h/m.gguf';
  expect([admits(uri), parses(uri), fetches(uri)]).toEqual([false, false, false]);
});

test('every https URI that is accepted is a URL, of the very host that it shows', () => {
  const label = fc.string({ unit: fc.constantFrom('a', '1', '0', 'x', 'F', '-', '.', ':'), maxLength: 10 });
  const groups = fc.string({ unit: fc.constantFrom('1', 'a', ':', '::', '0'), maxLength: 12 });
  const host = fc.oneof(
    label,
    groups.map((text) => `[${text}]`),
  );
  fc.assert(
    fc.property(host, (text) => {
      const uri = `https://${text}/m`;
      if (!parses(uri)) return;
      const { hostname, port } = new URL(uri);
      const shown = text.toLowerCase().replace(/:443$/, '');
      if (!text.startsWith('[')) expect(shown).toBe(port === '' ? hostname : `${hostname}:${port}`);
    }),
    { numRuns: 20_000 },
  );
});

test('any text is either a URI by the pattern or refused by the parser', () => {
  const scheme = fc.constantFrom('hf', 'huggingface', 's3', 'gs', 'https', 'oci', 'pvc', 'http');
  const tail = fc.string({
    unit: fc.constantFrom('a', 'b', '/', '.', ':', '@', '#', '?', '-', '_', ' ', '%'),
    maxLength: 20,
  });
  fc.assert(
    fc.property(scheme, tail, (name, rest) => {
      const text = `${name}://${rest}`;
      const accepted = matches(text);
      if (accepted) parseModelUri(text);
      else expect(() => parseModelUri(text)).toThrow('is not a model');
    }),
  );
});

test('no path of a URI can leave the place that it names', () => {
  const segments = fc.array(fc.constantFrom('a', '.', '..', '', '...', '.b'), { maxLength: 5 });
  fc.assert(
    fc.property(fc.constantFrom('s3://bucket', 'gs://bucket', 'pvc://claim'), segments, (start, path) => {
      const text = [start, ...path].join('/');
      const inner = path.at(-1) === '' ? path.slice(0, -1) : path;
      const safe = inner.every((segment) => !['', '.', '..'].includes(segment));
      expect(matches(text)).toBe(safe);
    }),
  );
});

test('weights are fetched from hf, s3, gs and https, and mounted from oci and pvc', () => {
  const fetched = ['hf://a/b', 's3://bkt/x', 'gs://bkt/x', 'https://h/x', 'oci://x/y', 'pvc://x'].map((text) =>
    isFetched(parseModelUri(text)),
  );
  expect(fetched).toEqual([true, true, true, true, false, false]);
});

test('the key is the beginning of the SHA-256 of the URI as written', () => {
  expect(weightsKey({ uri: 'hf://meta-llama/Meta-Llama-3-8B-Instruct' })).toMatch(/^[0-9a-f]{10}$/);
  expect(shortHash('abc')).toBe('ba7816bf8f');
  expect(weightsKey({ uri: 'hf://a/b' })).not.toBe(weightsKey({ uri: 'huggingface://a/b' }));
});
