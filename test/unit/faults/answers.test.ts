import { describe, expect, it } from 'vitest';
import { readableOnly, streamOf, writtenIn } from '../../../testing/faults/proxy/answers.ts';
import { parseExchange } from '../../../testing/faults/proxy/exchange.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

describe('the proxy asks the server for JSON', () => {
  it.each([
    [`${PROTOBUF},application/json`, 'application/json'],
    [`${PROTOBUF};stream=watch, application/json;stream=watch`, 'application/json,application/json;stream=watch'],
    [
      `${PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json`,
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
    ],
    ['application/cbor, */*', 'application/json,*/*'],
    ['application/json', 'application/json'],
  ])('where a client accepts %s', (accept, asked) => {
    expect(readableOnly(accept)).toBe(asked);
  });
});

describe('the answer to a write', () => {
  it.each([
    ['an object', { metadata: { name: 'a', uid: 'u', resourceVersion: '7' } }, { name: 'a', uid: 'u', version: '7' }],
    [
      'an object whose name the server chose',
      { metadata: { name: 'a-x', generateName: 'a-', resourceVersion: '7' } },
      { name: 'a-x', generateName: 'a-', version: '7' },
    ],
    [
      'an object that is gone by it',
      { metadata: { name: 'a', resourceVersion: '7', deletionTimestamp: 'now', finalizers: [] } },
      { name: 'a' },
    ],
    [
      'an object that a finalizer holds',
      { metadata: { name: 'a', resourceVersion: '7', deletionTimestamp: 'now', finalizers: ['f'] } },
      { name: 'a', version: '7' },
    ],
    ['a status', { kind: 'Status', metadata: {} }, {}],
  ])('tells of %s', (_, body, written) => {
    expect(writtenIn(Buffer.from(JSON.stringify(body)))).toEqual(written);
  });

  it('tells nothing where it is no JSON', () => {
    expect(writtenIn(Buffer.from('<html>'))).toEqual({});
  });
});

describe('a history is of', () => {
  const stream = (query: string, accept = 'application/json') =>
    streamOf(parseExchange('GET', `/api/v1/namespaces/a/pods?${query}`), accept);

  it('one path and one selection, whether it is listed or watched', () => {
    expect(stream('labelSelector=a&resourceVersion=0&limit=500')).toBe(
      stream('watch=1&labelSelector=a&resourceVersion=7'),
    );
    expect(stream('labelSelector=a')).not.toBe(stream('labelSelector=b'));
    expect(stream('fieldSelector=a')).not.toBe(stream('labelSelector=a'));
  });

  it('whole objects, or of their metadata alone', () => {
    expect(stream('', `${PROTOBUF};as=PartialObjectMetadata;v=v1`)).not.toBe(stream(''));
  });
});
