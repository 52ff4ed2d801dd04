import { describe, expect, test } from 'vitest';
import { linesOf, type Line, Reading } from '../../../cli/logs/lines.ts';
import { inOrder } from '../../../cli/logs/pods.ts';
import { Prefixer } from '../../../cli/logs/prefix.ts';
import { isOver, sourcesOf } from '../../../cli/logs/sources.ts';
import type { ObservedContainer, ObservedPod } from '../../../operator/engine/api/observed.ts';

const container = (name: string, rest: Partial<ObservedContainer> = {}): ObservedContainer => ({
  name,
  init: false,
  ready: true,
  started: true,
  restarts: 0,
  running: { startedAt: '' },
  ...rest,
});

const pod = (name: string, labels: Record<string, string>, ...containers: ObservedContainer[]): ObservedPod => ({
  namespace: 'models',
  name,
  uid: `uid of ${name}`,
  labels,
  annotations: {},
  createdAt: 0,
  deleting: false,
  phase: 'Running',
  conditions: [],
  containers,
});

const ended = { exitCode: 1, reason: 'Error', message: '', finishedAt: '' };

const rank = (index: number, attempt: number, ...containers: ObservedContainer[]): ObservedPod =>
  pod(
    `resnet-${attempt}-${index}-abc`,
    {
      'app.kubernetes.io/component': 'worker',
      'batch.kubernetes.io/job-completion-index': String(index),
      'trunnion.dev/attempt': String(attempt),
    },
    ...containers,
  );

describe('a line stands behind', () => {
  const labels = (of: ObservedPod) => sourcesOf(of, {}).map(({ label }) => label);

  test('the rank of a training, with its attempt where that is not the first', () => {
    expect(labels(rank(3, 1, container('trainer')))).toEqual(['worker-3']);
    expect(labels(rank(3, 2, container('trainer')))).toEqual(['worker-3 #2']);
  });

  test('the name of any other pod, with the container where there are several', () => {
    expect(labels(pod('llama-x', {}, container('server')))).toEqual(['llama-x']);
    expect(labels(pod('llama-x', {}, container('fetch'), container('server')))).toEqual([
      'llama-x/fetch',
      'llama-x/server',
    ]);
  });

  test('labels of one width, so that lines stand one below the other', () => {
    const prefixer = new Prefixer({ paint: (_, text) => text }, true);
    prefixer.add({ label: 'worker-10' });
    const line = { at: '2026-01-01T00:00:00Z', text: 'epoch=1' };
    expect(prefixer.line({ label: 'worker-1' }, line)).toBe('worker-1  │ 2026-01-01T00:00:00Z epoch=1\n');
  });
});

describe('asked for are', () => {
  test('the containers that have said something, and no others', () => {
    const waiting: ObservedContainer = { name: 'new', init: false, ready: false, started: false, restarts: 0 };
    const of = pod('llama-x', {}, container('server'), waiting);
    expect(sourcesOf(of, {}).map((source) => source.container)).toEqual(['server']);
    expect(sourcesOf(of, { container: 'new' })).toEqual([]);
  });

  test('with --previous, those that were restarted', () => {
    const crashed = container('server', { restarts: 2, lastTerminated: ended });
    const of = pod('llama-x', {}, container('fetch'), crashed);
    expect(sourcesOf(of, { previous: true }).map((source) => source.container)).toEqual(['server']);
  });

  test('with --rank, that rank alone', () => {
    expect(sourcesOf(rank(1, 1, container('trainer')), { rank: 0 })).toEqual([]);
    expect(sourcesOf(rank(1, 1, container('trainer')), { rank: 1 })).toHaveLength(1);
  });

  test('ranks in their order', () => {
    const pods = [rank(10, 1), rank(9, 1), rank(0, 2)];
    expect(inOrder(pods).map(({ name }) => name)).toEqual(['resnet-1-9-abc', 'resnet-1-10-abc', 'resnet-2-0-abc']);
  });
});

test('a log is over when its container has ended, was restarted, or is gone with its pod', () => {
  const running = pod('llama-x', {}, container('server'));
  const [source] = sourcesOf(running, {});
  if (source === undefined) throw new Error('a container that runs has a log');
  const { running: _, ...stopped } = container('server', { terminated: ended });
  expect(isOver(source, running)).toBe(false);
  expect(isOver(source, pod('llama-x', {}, stopped))).toBe(true);
  expect(isOver(source, pod('llama-x', {}, container('server', { restarts: 1 })))).toBe(true);
  expect(isOver(source, undefined)).toBe(true);
  expect(isOver(source, { ...running, uid: 'of a namesake' })).toBe(true);
});

describe('lines', () => {
  async function* chunks(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield await Promise.resolve(typeof text === 'string' ? Buffer.from(text) : text);
  }

  test('are whole, wherever the chunks end: within a line, or within a character', async () => {
    const euro = Buffer.from('2026-01-01T00:00:01Z costs 3 €');
    const read = await Array.fromAsync(
      linesOf(chunks('2026-01-01T00:00:00Z fi', 'rst\n', euro.subarray(0, -1), euro.subarray(-1))),
    );
    expect(read).toEqual([
      { at: '2026-01-01T00:00:00Z', text: 'first' },
      { at: '2026-01-01T00:00:01Z', text: 'costs 3 €' },
    ]);
  });

  test('without a time are reported as they are', async () => {
    expect(await Array.fromAsync(linesOf(chunks('just words\n')))).toEqual([{ at: '', text: 'just words' }]);
  });

  test('are reported once though a log is read twice, also where several were said at the same time', () => {
    const line = (second: number, text: string): Line => ({ at: `2026-01-01T00:00:0${second}Z`, text });
    const first = [line(1, 'a'), line(2, 'b'), line(2, 'c')];
    const again = [line(2, 'b'), line(2, 'c'), line(2, 'd'), line(3, 'e')];
    const reading = new Reading();
    reading.again();
    const reported = first.filter((each) => reading.isNew(each));
    expect(reading.since).toBe('2026-01-01T00:00:02Z');
    reading.again();
    reported.push(...again.filter((each) => reading.isNew(each)));
    expect(reported.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
