import { expect, it } from 'vitest';
import type { Resource } from '../../../operator/engine/api/resource.ts';
import { eventsOf } from '../../../operator/engine/queries/object-events.ts';

const about: Resource = {
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'ns', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
  spec: {},
};

const asked: { readonly type?: string; readonly options?: object }[] = [];

const read = (...events: readonly object[]) =>
  eventsOf({ kind: 'Pod', name: 'p', uid: 'uid-of-p' }, about, {
    client: {
      list: (type, options) => {
        asked.push({ type: `${type.version}/${type.plural}`, options: options ?? {} });
        const items = events.map((event) => ({ metadata: { creationTimestamp: '2026-01-01T00:00:00Z' }, ...event }));
        return Promise.resolve({ items, metadata: {} } as never);
      },
    },
    signal: new AbortController().signal,
    count: () => undefined,
  });

it('reads the events of one pod, and of no namesake', async () => {
  await read();
  expect(asked.at(-1)).toEqual({
    type: 'v1/events',
    options: expect.objectContaining({
      namespace: 'ns',
      fieldSelector: 'involvedObject.kind=Pod,involvedObject.name=p,involvedObject.uid=uid-of-p',
    }),
  });
});

it('tells the latest last, whichever of its times an event has, and of those that say the same the latest', async () => {
  const events = await read(
    { reason: 'C', message: 'old recorder', lastTimestamp: '2026-01-01T00:00:03Z', eventTime: null },
    {
      reason: 'A',
      message: 'series',
      eventTime: '2026-01-01T00:00:01Z',
      series: { lastObservedTime: '2026-01-01T00:00:09Z' },
    },
    { reason: 'B', message: 'new recorder', eventTime: '2026-01-01T00:00:05Z', lastTimestamp: null },
    { reason: 'B', message: 'new recorder', eventTime: '2026-01-01T00:00:04Z', lastTimestamp: null },
    { reason: 'D' },
  );
  expect(events.map(({ reason, message }) => [reason, message])).toEqual([
    ['D', ''],
    ['C', 'old recorder'],
    ['B', 'new recorder'],
    ['A', 'series'],
  ]);
});

it('keeps ten, in plain text', async () => {
  const many = Array.from({ length: 40 }, (_, at) => ({
    reason: 'R',
    message: `\u001b[31m${'y'.repeat(at)} ${'x'.repeat(5_000)}`,
    lastTimestamp: new Date(at * 1_000).toISOString(),
  }));
  const events = await read(...many);
  expect(events).toHaveLength(10);
  expect(events.every(({ message }) => message.length <= 1_024 && !message.includes('\u001b'))).toBe(true);
});

it('keeps what was reported once beside what is reported again and again with other numbers', async () => {
  const scheduler = Array.from({ length: 40 }, (_, at) => ({
    reason: 'FailedScheduling',
    message: `0/${at + 2} nodes are available: ${at + 2} Insufficient nvidia.com/gpu.`,
    lastTimestamp: new Date(at * 1_000).toISOString(),
  }));
  const adds = { reason: 'TriggeredScaleUp', message: '0->1', lastTimestamp: new Date(500).toISOString() };
  const events = await read(adds, ...scheduler);
  expect(events.map(({ message }) => message)).toEqual(['0->1', scheduler.at(-1)?.message]);
});
