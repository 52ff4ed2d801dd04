import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { configFrom } from '../../../fetcher/config.ts';
import { problemOf } from '../../../fetcher/names.ts';
import { weightsMounts, weightsPath } from '../../../constructs/parts/weights/index.ts';
import { parseModelUri } from '../../../constructs/parts/weights/uri.ts';
import type { ModelUri } from '../../../constructs/parts/weights/uri.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { minimal } from '../../examples/model-serving/example.ts';
import { send, startHost } from './support/host.ts';
import { makeVolume } from './support/fetcher.ts';

/** The answer of each of those who read a URI: the rules of the field, the construct, and the fetcher. */
function answers(uri: string): readonly boolean[] {
  const isMounted = uri.startsWith('pvc:');
  const { storage, ...rest } = { ...minimal, storage: { size: '1Gi', accessMode: 'ReadWriteOnce' as const } };
  const spec = { ...rest, model: { uri }, ...(!isMounted && { storage }) };
  const succeeds = (action: () => unknown): boolean => {
    try {
      action();
      return true;
    } catch {
      return false;
    }
  };
  return [
    succeeds(() => parseSpec(modelServing, { name: 'llama', namespace: 'models', spec })),
    succeeds(() => parseModelUri(uri)),
    ...(isMounted ? [] : [succeeds(() => configFrom({ TRUNNION_URI: uri }))]),
  ];
}

/** What stands in a URI for the reader to decode, as it is read. */
const readIn = (uri: ModelUri): string | undefined => {
  switch (uri.scheme) {
    case 's3':
    case 'gs':
    case 'az':
      return uri.prefix;
    case 'pvc':
      return uri.path;
    case 'https':
      return uri.fileName;
    case 'hf':
    case 'oci':
      return undefined;
  }
};

const STARTS = [
  's3://bucket/',
  'gs://bucket/',
  'az://acme.blob.core.windows.net/bucket/',
  'pvc://claim/',
  'https://host/dir/',
];

test.each([
  ['my%20model', 'my model'],
  ['my%2520model', 'my%20model'],
  ['a+b', 'a+b'],
  ['100%25', '100%'],
  ['Mod%C3%A8le%20%F0%9F%A6%99', 'Modèle 🦙'],
  ['%24%28HOME%29', '$(HOME)'],
  ['%e4%bd%a0', '你'],
  ['a%26b%3Dc%23d%3F', 'a&b=c#d?'],
])('%s is read once, as %s, whatever the scheme', (written, read) => {
  for (const start of STARTS) {
    expect(answers(start + written).every(Boolean)).toBe(true);
    expect(readIn(parseModelUri(start + written))).toBe(read);
  }
});

test.each([
  ['a percent sign alone', 'a%'],
  ['half a byte', 'a%2'],
  ['no hexadecimal digits', 'a%zz'],
  ['half a character', 'a%C3'],
  ['bytes that are no UTF-8', 'a%ff'],
  ['a character that is written too long', 'a%C0%AF'],
  ['half a pair of surrogates', 'a%ED%A0%80'],
  ['a dot', '%2e%2E'],
  ['a dot of two', '.%2e'],
  ['a slash', 'a%2Fb'],
  ['a slash that leads up', '..%2Fb'],
  ['a backslash', 'a%5Cb'],
  ['an end of a text', 'a%00'],
  ['an end of a line', 'a%0Ab'],
  ['an escape', 'a%1B'],
  ['a delete', 'a%7F'],
  ['a control of 8 bits', 'a%C2%85'],
  ['a mark that turns the direction of text', 'a%E2%80%AEb'],
  ['a space of no width', 'a%E2%80%8B'],
  ['a mark of byte order', '%EF%BB%BFa'],
])('%s is refused, by all who read it', (_, written) => {
  for (const start of STARTS) expect(answers(start + written)).not.toContain(true);
});

test('of an https URL the name of the file alone is read: the rest goes to the server as it is', () => {
  const url = 'https://git.example/api/projects/group%2Fproject/my%20model.gguf?sig=a%2Fb%zz';
  expect(answers(url)).not.toContain(false);
  expect(parseModelUri(url)).toEqual({ scheme: 'https', url, fileName: 'my model.gguf' });
});

test.each(['https://host/model.', 'https://host/model%20', 'https://host/a/model.?x=1'])(
  '%s, whose file no volume would keep by that name, is refused',
  (uri) => expect(answers(uri)).not.toContain(true),
);

describe('for any path, percent-encoded by the rules of the web,', () => {
  const segment = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 12 })
    .filter((text) => text.isWellFormed() && !/[\\/]/.test(text) && text !== '.' && text !== '..');
  const encode = (text: string): string =>
    encodeURIComponent(text).replaceAll(/[()'!*]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);

  test('all who read it give one answer, and read what was encoded', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STARTS), segment, (start, text) => {
        const uri = start + encode(text);
        const given = answers(uri);
        expect(new Set(given).size).toBe(1);
        if (given[0] === true) expect(readIn(parseModelUri(uri))).toBe(text);
        else expect(problemOf(text)).toBeDefined();
      }),
      { numRuns: 3000 },
    );
  });

  test('what is accepted as a file is one that the fetcher writes', () => {
    fc.assert(
      fc.property(segment, (text) => {
        const uri = `https://host/${encode(text)}`;
        if (!answers(uri)[0]) return;
        expect(problemOf(text)).toSatisfy((problem) => problem === undefined || problem.startsWith('begins as'));
      }),
      { numRuns: 3000 },
    );
  });

  test('any text of bytes gets one answer', () => {
    const piece = fc.oneof(
      fc.constantFrom('%', '%2', '%2e', '%2F', '%20', '%c3', '%A8', '%E2%80', '%8b', '%f0%9f', 'a', '.', '/', '?', '#'),
      fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`),
    );
    fc.assert(
      fc.property(fc.constantFrom(...STARTS), fc.array(piece, { maxLength: 6 }), (start, pieces) => {
        const uri = start + pieces.join('');
        const given = answers(uri);
        expect(new Set(given).size).toBe(1);
      }),
      { numRuns: 3000 },
    );
  });
});

test('a server finds a model by its real name, and Kubernetes reads no variable in it', () => {
  expect(weightsPath({ uri: 'https://host/my%20model.gguf' })).toBe('/models/weights/my model.gguf');
  expect(weightsPath({ uri: 'https://host/%24%28HOME%29.gguf' })).toBe('/models/weights/$$(HOME).gguf');
  expect(weightsPath({ uri: 'https://host/x%24%24y.gguf' })).toBe('/models/weights/x$$$$y.gguf');
  expect(weightsMounts('pvc://claim/my%20model')).toMatchObject([{ subPath: 'my model' }]);
});

test('the fetcher asks for the objects whose keys begin with the text that is meant', async () => {
  const keys = ['my model/config.json', 'my%20model/config.json'];
  await using host = await startHost((request, response, seen, url) => {
    if (!url.searchParams.has('list-type')) return send(request, response, seen, Buffer.from('{}'));
    const found = keys.filter((key) => key.startsWith(url.searchParams.get('prefix') ?? ''));
    const contents = found.map(
      (key) => `<Contents><Key>${encodeURIComponent(key)}</Key><Size>2</Size><ETag>"e"</ETag></Contents>`,
    );
    response.end(`<ListBucketResult><EncodingType>url</EncodingType>${contents.join('')}</ListBucketResult>`);
    return undefined;
  });
  await using volume = await makeVolume();
  const uri = 's3://bucket/my%20model/';
  const ended = await volume.run({ TRUNNION_URI: uri, AWS_ENDPOINT_URL: host.origin });
  expect(ended).toMatchObject({ code: 0 });
  const asked = host.requests.map(({ url }) => new URL(url, host.origin));
  expect(asked[0]?.searchParams.get('prefix')).toMatch(/^my model/);
  expect(asked.map(({ pathname }) => pathname)).toContain('/bucket/my%20model/config.json');
});
