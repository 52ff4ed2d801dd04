import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError, TransportError } from '../../../operator/kube/client/errors.ts';
import { FrameError } from '../../../operator/kube/cache/frames.ts';
import {
  NoInitialEndError,
  nextStep,
  opened,
  type Outcome,
  type Progress,
  advance,
  StaleAnswerError,
  START,
  type Step,
  synced,
} from '../../../operator/kube/cache/progress.ts';

const LIVE = synced(START, '100');

const api = (status: number, reason = '') => new ApiError(status, { reason });
const network = new TransportError('reset', 'ECONNRESET', true);
const tooLarge = new ApiError(504, { message: 'Timeout: Too large resource version: 100, current: 50' });

function fail(progress: Progress, error: unknown, inStream = false): Progress {
  const step = nextStep(progress);
  return advance(progress, step, { type: 'failed', error, inStream, synced: step.do === 'watch' }, 1_000_000, 0);
}

describe('the step after a failure', () => {
  const lists = (version: string): Step => ({ do: 'list', notOlderThan: version });
  const streams = (version: string): Step => ({ do: 'stream', notOlderThan: version });
  const watches: Step = { do: 'watch', from: '100' };

  test.each<[string, Progress, unknown, boolean, Step]>([
    ['of the first stream, by the network', START, network, false, streams('')],
    ['of the first stream, by 429', START, api(429), false, streams('')],
    ['of the first stream, by 500', START, api(500), false, lists('')],
    ['of the first stream, by 422', START, api(422), false, lists('')],
    ['of the first stream, by silence before its end', START, new NoInitialEndError(''), true, lists('')],
    ['of the first stream, by 403', START, api(403), false, streams('')],
    ['of a watch, by the network when it is opened', LIVE, network, false, watches],
    ['of a watch, by the network later', LIVE, network, true, watches],
    ['of a watch, by 500 when it is opened', LIVE, api(500), false, watches],
    ['of a watch, by 429 when it is opened', LIVE, api(429), false, watches],
    ['of a watch, by 429 later', LIVE, api(429), true, watches],
    ['of a watch, by 403', LIVE, api(403), false, watches],
    ['of a watch, by 404', LIVE, api(404), false, streams('100')],
    ['of a watch, by 500 as a frame', LIVE, api(500), true, streams('100')],
    ['of a watch, by 410', LIVE, api(410, 'Expired'), false, streams('')],
    ['of a watch, by 410 as a frame', LIVE, api(410, 'Gone'), true, streams('')],
    ['of a watch, by a frame that cannot be read', LIVE, new FrameError(''), true, streams('100')],
    ['of a watch, by a bookmark of the past', LIVE, new StaleAnswerError(''), true, streams('100')],
    ['of a watch, by a version that the server has yet to reach', LIVE, tooLarge, false, lists('')],
    [
      'of another stream, by a version that the server has yet to reach',
      { ...LIVE, next: 'stream' },
      tooLarge,
      false,
      lists(''),
    ],
    [
      'of another stream, by an answer of the past',
      { ...LIVE, next: 'stream' },
      new StaleAnswerError(''),
      true,
      lists('100'),
    ],
    ['of a list, by 410', { ...LIVE, next: 'list' }, api(410, 'Expired'), false, streams('')],
    ['of a list, by 410, without streams', { ...LIVE, next: 'list', streams: false }, api(410), false, lists('')],
  ])('%s', (_what, progress, error, inStream, step) => {
    expect(nextStep(fail(progress, error, inStream))).toEqual(step);
  });
});

describe('the state after a failure', () => {
  test.each([
    [api(403), 'forbidden'],
    [api(404), 'missing'],
    [api(500), 'retrying'],
    [network, 'retrying'],
  ] as const)('%s: %s', (error, state) => {
    expect(fail(LIVE, error)).toMatchObject({ state, failure: error });
  });
});

describe('the wait after a failure', () => {
  const lost: Outcome = { type: 'failed', error: network, inStream: false, synced: true };

  test('doubles from 0.8 s to 30 s, and up to twice that by jitter', () => {
    let progress = LIVE;
    const waits: number[] = [];
    for (let time = 0; time < 8; time += 1) waits.push((progress = fail(progress, api(500))).waitMs);
    expect(waits).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    const outcome: Outcome = { type: 'failed', error: network, inStream: true, synced: true };
    expect(advance(LIVE, nextStep(LIVE), outcome, 1_000_000, 1).waitMs).toBe(1_600);
  });

  test('is forgotten after two minutes of health', () => {
    const tired = { ...LIVE, failures: 9, failedAt: 1_000_000 - 120_001 };
    expect(fail(tired, network).waitMs).toBe(800);
    expect(fail({ ...tired, failedAt: 1_000_000 - 119_000 }, api(500)).waitMs).toBe(30_000);
  });

  test('is what the server asks for, however often it does, and not much more by jitter', () => {
    const asks = (seconds: number) => new ApiError(429, {}, seconds);
    const tired = { ...LIVE, failures: 9, failedAt: 999_000 };
    expect(fail(LIVE, asks(60)).waitMs).toBe(60_000);
    expect(fail(tired, asks(1)).waitMs).toBe(1_000);
    expect(fail(tired, asks(0)).waitMs).toBe(800);
    const outcome: Outcome = { type: 'failed', error: asks(1), inStream: false, synced: true };
    expect(advance(tired, nextStep(tired), outcome, 1_000_000, 1).waitMs).toBe(1_800);
  });

  test('is short at first where the server refuses, since it may only be starting', () => {
    expect(fail(LIVE, api(403)).waitMs).toBe(800);
    expect(fail(LIVE, api(404)).waitMs).toBe(800);
  });

  test('is never so long that a server that could not be reached is back for ten seconds unseen', () => {
    let progress = LIVE;
    for (let time = 0; time < 20; time += 1) progress = advance(progress, nextStep(progress), lost, time, 1);
    expect(progress.waitMs).toBe(4_000);
    expect(fail(progress, api(410)).waitMs).toBe(0);
    expect(advance(progress, nextStep(progress), { ...lost, error: api(410) }, 1_000_000, 1).waitMs).toBe(800);
  });

  test('is jitter alone where a server that is back has forgotten our version, whatever it said while it was starting', () => {
    let progress = fail(LIVE, network, true);
    const starting = new ApiError(429, {}, 1);
    for (const error of [network, network, api(403), api(403), api(403), starting, starting, starting]) {
      progress = fail(progress, error);
    }
    progress = fail(opened(progress), api(410, 'Expired'), true);
    expect(progress.waitMs).toBe(0);
    expect(nextStep(progress).do).toBe('stream');
  });

  test('grows where the server forgets our version again and again', () => {
    let progress = LIVE;
    const waits: number[] = [];
    for (let time = 0; time < 7; time += 1) {
      progress = fail(progress, api(410, 'Expired'), true);
      waits.push(progress.waitMs);
      progress = synced(progress, `${200 + time}`);
    }
    expect(waits).toEqual([0, 1600, 3200, 6400, 12_800, 25_600, 30_000]);
  });

  test('grows where connections break again and again before the list is complete, which costs the server much', () => {
    const broken: Outcome = { type: 'failed', error: network, inStream: true, synced: false };
    let progress = START;
    for (let time = 0; time < 20; time += 1) progress = advance(progress, nextStep(progress), broken, time, 0);
    expect(progress.waitMs).toBe(30_000);
  });

  test('is none after a watch that the server ended in its time', () => {
    const outcome: Outcome = { type: 'ended', frames: 3, ms: 300_000, synced: true };
    expect(advance(LIVE, nextStep(LIVE), outcome, 0, 0)).toMatchObject({
      next: 'watch',
      waitMs: 0,
      failure: undefined,
    });
  });
});

test('the version never goes back, no matter what happens, but for a consistent read after the server disowned it', () => {
  const error = fc.constantFrom(
    network,
    api(500),
    api(403),
    api(410),
    api(429),
    new FrameError(''),
    new StaleAnswerError(''),
  );
  const outcome: fc.Arbitrary<Outcome> = fc.oneof(
    fc.record({ type: fc.constant('listed' as const), version: fc.integer({ min: 1, max: 200 }).map(String) }),
    fc.record({ type: fc.constant('ended' as const), frames: fc.nat(2), ms: fc.nat(5_000), synced: fc.boolean() }),
    fc.record({ type: fc.constant('failed' as const), error, inStream: fc.boolean(), synced: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(outcome), (outcomes) => {
      let progress = LIVE;
      for (const each of outcomes) {
        const after = advance(progress, nextStep(progress), each, 0, 0.5);
        if (!progress.consistent) expect(Number(after.version)).toBeGreaterThanOrEqual(Number(progress.version));
        expect(after.waitMs).toBeLessThanOrEqual(60_000);
        progress = after;
      }
    }),
  );
});
