import { describe, expect, test } from 'vitest';
import { lockNumber } from '../../../fetcher/lock.ts';
import { checkNames } from '../../../fetcher/names.ts';
import { allPages } from '../../../fetcher/pages.ts';
import { parseAssumedRole, parseAccessToken } from '../../../fetcher/sources/credential-answers.ts';
import { parseGcsPage } from '../../../fetcher/sources/gcs-answers.ts';
import { parseHubPage, parseHubRevision } from '../../../fetcher/sources/hub-answers.ts';
import { parseS3Page, s3Code, s3Region } from '../../../fetcher/sources/s3-answers.ts';
import { parseMarker } from '../../../fetcher/volume.ts';
import { element, elements } from '../../../fetcher/xml.ts';

const MIB = 2 ** 20;

/** Milliseconds of a CPU that an action takes, whatever else the machine does. */
function workOf(action: () => void): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('XML', () => {
  test.each([
    ['<Key>a</Key><Key>b</Key>', ['a', 'b']],
    ['<KeyCount>2</KeyCount><Key x="1">a</Key>', ['a']],
    ['<Key>a', []],
    ['<Key', []],
    ['<Key/><Key>b</Key>', ['b']],
    ['<Key><Key>a</Key></Key>', ['<Key>a']],
  ])('%s has the keys %j', (xml, keys) => {
    expect(elements(xml, 'Key')).toEqual(keys);
  });

  test.each([
    ['&lt;&gt;&amp;&quot;&apos;', `<>&"'`],
    ['&#65;&#x42;', 'AB'],
    ['&#x110000;&#9999999;&#99999999999999999999;', '&#x110000;&#9999999;&#99999999999999999999;'],
    ['&xxe;&__proto__;&constructor;', '&xxe;&__proto__;&constructor;'],
  ])('%s is the text %s', (written, text) => {
    expect(element(`<Key>${written}</Key>`, 'Key')).toBe(text);
  });

  test.each([
    ['that never end', '<Contents>'.repeat(MIB)],
    ['whose beginnings never end', '<Contents '.repeat(MIB)],
    ['of another name', '<ContentsX>'.repeat(MIB)],
    ['without content', '<Contents></Contents>'.repeat(MIB / 4)],
    ['in each other', '<Contents>'.repeat(MIB / 2) + '</Contents>'.repeat(MIB / 2)],
    ['with many entities', `<Contents>${'&'.repeat(2 * MIB)}${'a'.repeat(2 * MIB)};</Contents>`],
  ])('megabytes of elements %s are read in linear time', (_name, xml) => {
    const work = (): void => {
      elements(xml, 'Contents');
      element(xml, 'Contents');
    };
    expect(workOf(work)).toBeLessThan(2000);
  });
});

const contents = (inner: string): string =>
  `<ListBucketResult><EncodingType>url</EncodingType><Contents>${inner}</Contents><NextContinuationToken>t&amp;1</NextContinuationToken></ListBucketResult>`;

test("a page of S3's listing is its objects and the token of the next page", () => {
  expect(parseS3Page(contents('<Key>a%2Fb+c</Key><Size>7</Size><ETag>&quot;e&quot;</ETag>'))).toEqual({
    items: [{ key: 'a/b c', bytes: 7, etag: 'e' }],
    next: 't&1',
  });
  const plain = '<ListBucketResult><Contents><Key>100%+b</Key><Size>7</Size></Contents></ListBucketResult>';
  expect(parseS3Page(plain).items).toEqual([{ key: '100%+b', bytes: 7, etag: '' }]);
  expect(parseS3Page('<ListBucketResult/>')).toEqual({ items: [], next: undefined });
});

test.each([
  ['a size below zero', contents('<Key>a</Key><Size>-1</Size>')],
  ['a size that is none', contents('<Key>a</Key><Size>many</Size>')],
  ['a size beyond all numbers', contents('<Key>a</Key><Size>99999999999999999999</Size>')],
  ['no size', contents('<Key>a</Key>')],
  ['no name', contents('<Size>1</Size>')],
  ['a name that is not encoded as URLs are', contents('<Key>%zz</Key><Size>1</Size>')],
  ['entities of its own', `<!DOCTYPE x [<!ENTITY e "${'e'.repeat(100)}">]>${contents('<Key>&e;</Key><Size>1</Size>')}`],
  ['a page of HTML', '<!doctype html><title>Sign in</title>'],
])("a page of S3's listing with %s may come right the next time", (_name, xml) => {
  expect(() => parseS3Page(xml)).toThrow(expect.objectContaining({ name: 'FetchError', retry: true }));
});

test('what an error of S3 says becomes part of a message or a host name only where it is a word', () => {
  const [none, evil] = [new Headers(), new Headers({ 'x-amz-bucket-region': 'evil.example/' })];
  expect(s3Code('<Error><Code>NoSuchKey</Code></Error>')).toBe('NoSuchKey');
  expect(s3Code('<Error><Code>\u001b[2J</Code></Error>')).toBe('');
  expect(s3Code('')).toBe('');
  expect(s3Region(none, '<Region>eu-west-1</Region>')).toBe('eu-west-1');
  expect(s3Region(none, '<Region>evil.example/</Region>')).toBeUndefined();
  expect(s3Region(evil, '')).toBeUndefined();
});

const SHA = 'a'.repeat(40);

test("a page of the Hub's tree is its files and the cursor of the next page", () => {
  const tree = [
    { type: 'directory', path: 'sub' },
    { type: 'file', path: 'a', size: 1, oid: SHA },
    { type: 'file', path: 'b', size: 130, oid: SHA, lfs: { oid: 'f'.repeat(64), size: 2 } },
  ];
  expect(parseHubPage(JSON.stringify(tree), '<https://elsewhere/?cursor=c%3D>; rel="next"')).toEqual({
    items: [
      { key: 'a', bytes: 1, checksum: { algorithm: 'git-blob', hex: SHA, bytes: 1 } },
      { key: 'b', bytes: 2, checksum: { algorithm: 'sha256', hex: 'f'.repeat(64) } },
    ],
    next: 'c=',
  });
});

test.each([
  ['is none', null],
  ['is empty', '<>; rel="next"'],
  ['is no URL', '<http://[>; rel="next"'],
  ['has no cursor', '</next>; rel="next"'],
  ['is of megabytes', '<'.repeat(4 * MIB)],
])("the Hub's tree ends where the link to the next page %s", (_name, link) => {
  expect(parseHubPage('[]', link)).toEqual({ items: [], next: undefined });
});

test.each([
  ['a size below zero', '[{"type":"file","path":"a","size":-1}]'],
  ['half a byte', '[{"type":"file","path":"a","size":1.5}]'],
  ['a size without an end', '[{"type":"file","path":"a","size":1e400}]'],
  ['no size', '[{"type":"file","path":"a"}]'],
  ['a million lists in each other', '['.repeat(MIB)],
  ['a page of HTML', '<html>'],
  ['nothing', ''],
])('a tree with %s may come right the next time', (_name, json) => {
  expect(() => parseHubPage(json, null)).toThrow(expect.objectContaining({ name: 'FetchError', retry: true }));
});

test.each([['{}'], ['[]'], ['null'], ['{"sha":1}'], ['{"sha":"../../etc"}'], ['{"__proto__":{"sha":"x"}}']])(
  'no commit is taken from %s',
  (json) => {
    expect(() => parseHubRevision(json)).toThrow('the answer names no commit');
  },
);

test("a page of Google's listing is its objects and the token of the next page", () => {
  const item = { name: 'a', size: '7', generation: '1', md5Hash: 'm', crc32c: 'c' };
  expect(parseGcsPage(JSON.stringify({ items: [item], nextPageToken: 't' }))).toEqual({
    items: [{ key: 'a', bytes: 7, generation: '1', md5: 'm', crc32c: 'c' }],
    next: 't',
  });
  expect(parseGcsPage('{}')).toEqual({ items: [], next: undefined });
});

test.each([
  ['{"items":[{"name":"a","size":"-1"}]}'],
  ['{"items":[{"name":"a","size":"9999999999999999"}]}'],
  ['{"items":[{"name":"a"}]}'],
  ['{"items":[{"size":"1"}]}'],
  ['{"items":[null]}'],
])("Google's listing %s may come right the next time", (json) => {
  expect(() => parseGcsPage(json)).toThrow(expect.objectContaining({ retry: true }));
});

const role = (id: string, expiration = '2999-01-01T00:00:00Z'): string =>
  `<AccessKeyId>${id}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>${expiration}</Expiration>`;

test('credentials are read, with the time that they run out at', () => {
  expect(parseAssumedRole(role('AKIA'))).toEqual({
    value: { accessKeyId: 'AKIA', secretAccessKey: 's', sessionToken: 't' },
    expires: Date.parse('2999-01-01'),
  });
  expect(parseAccessToken('{"access_token":"t","expires_in":60}', 1000)).toEqual({ value: 't', expires: 61_000 });
});

test.each([
  ['a key of two lines', () => parseAssumedRole(role('A\r\nHost: evil'))],
  ['a key of megabytes', () => parseAssumedRole(role('A'.repeat(MIB)))],
  ['an empty key', () => parseAssumedRole(role(''))],
  ['no time', () => parseAssumedRole(role('A', 'soon'))],
  ['no key', () => parseAssumedRole('')],
  ['a token of two lines', () => parseAccessToken('{"access_token":"a\\nb","expires_in":1}', 0)],
  ['no token', () => parseAccessToken('{}', 0)],
  ['a time without an end', () => parseAccessToken('{"access_token":"a","expires_in":1e400}', 0)],
])('credentials with %s are not taken', (_name, parse) => {
  expect(parse).toThrow(expect.objectContaining({ name: 'FetchError', retry: true }));
});

test.each([
  ['has no end', 'the page "same" comes again', () => ({ items: [], next: 'same' })],
  ['goes in a circle', 'comes again', (page: number) => ({ items: [], next: `${page % 3}` })],
  ['always has another page', 'more than 10000 pages', (page: number) => ({ items: [], next: `${page}` })],
  ['has a token of kilobytes', "a page's token of 5000 characters", () => ({ items: [], next: 't'.repeat(5000) })],
  [
    'has more files than any model',
    'more than 100000 files',
    (page: number) => ({ items: Array.from({ length: 30_000 }, () => ({ key: 'k' })), next: `${page}` }),
  ],
  [
    'has names of megabytes',
    'names of more than 16777216 characters',
    (page: number) => ({ items: Array.from({ length: 5000 }, () => ({ key: 'k'.repeat(1000) })), next: `${page}` }),
  ],
  [
    'has a name of megabytes',
    'a name of 1048576 characters',
    () => ({ items: [{ key: 'd/'.repeat(MIB / 2) }], next: undefined }),
  ],
])('a listing that %s is given up', async (_name, message, answer) => {
  let page = 0;
  const listed = allPages('s3://models/llama', () => Promise.resolve(answer((page += 1))));
  await expect(listed).rejects.toMatchObject({ exitCode: 69, message: expect.stringContaining(message) as unknown });
  expect(page).toBeLessThanOrEqual(10_000);
});

test('a listing ends where no next page is named, by nothing or by an empty token, as some servers have it', async () => {
  const page = (cursor?: string) =>
    Promise.resolve({ items: [{ key: cursor ?? 'first' }], next: cursor === undefined ? 'last' : '' });
  expect(await allPages('s3://models/llama', page)).toEqual([{ key: 'first' }, { key: 'last' }]);
});

test.each([
  ['"a" comes twice', ['a', 'a']],
  ['"a" is a file and a folder', ['a/b', 'a']],
  ['"a" is a file and a folder', ['a', 'a/b/c']],
  ["begins as the fetcher's own files do", ['.trunnion-lock-1']],
  ["begins as the fetcher's own files do", ['.Trunnion-Complete.json']],
  ['ends in a dot or a space', ['a/.. ']],
  ['ends in a dot or a space', ['model.']],
  ['a control character', ['a\u0000b']],
  ['a control character', ['a\u001b[2Jb']],
  ['a control character', ['a\u009bb']],
  ['a control character or another that is not shown', ['a\u202eb']],
  ['a control character or another that is not shown', ['a\u200bb']],
  ['a control character or another that is not shown', ['a\u2028b']],
  ['a control character or another that is not shown', ['a\ud800b']],
  ['is too long', [`${'a'.repeat(500)}/../${'b'.repeat(600)}`]],
  ['is too long', ['ü'.repeat(128)]],
  ['lies in more than 32 folders', ['d/'.repeat(33) + 'f']],
  ['there are 100001 files', Array.from({ length: 100_001 }, (_, index) => String(index))],
])('%s: such a model is not fetched', (message, paths) => {
  expect(() => checkNames(paths)).toThrow(message);
});

test('a model of as many files as there may be, each in a folder of its own, is looked through at once', () => {
  const paths = Array.from({ length: 100_000 }, (_, index) => `${'d/'.repeat(30)}${index}/f`);
  expect(workOf(() => checkNames(paths))).toBeLessThan(3000);
});

test.each([
  ['', undefined],
  ['{', undefined],
  ['null', undefined],
  ['[]', undefined],
  ['{"uri":"hf://a/b","revision":"r","files":1,"bytes":2}', { uri: 'hf://a/b', revision: 'r', files: 1, bytes: 2 }],
  ['{"uri":"hf://a/c","revision":"r","files":1,"bytes":2}', undefined],
  ['{"uri":"hf://a/b","revision":"r","files":-1,"bytes":2}', undefined],
  ['{"uri":"hf://a/b","revision":{},"files":1,"bytes":2}', undefined],
])('the marker %j says %j', (text, marker) => {
  expect(parseMarker(text, { uri: 'hf://a/b' })).toEqual(marker);
});

test.each([
  ['.trunnion-lock-1', 1],
  ['.trunnion-lock-999999999999999', 999_999_999_999_999],
  ['.trunnion-lock-', undefined],
  ['.trunnion-lock-0', undefined],
  ['.trunnion-lock-1e9', undefined],
  ['.trunnion-lock-Infinity', undefined],
  ['.trunnion-lock-99999999999999999999', undefined],
  ['weights', undefined],
])('the folder %s is the lock %s', (name, number) => {
  expect(lockNumber(name)).toBe(number);
});
