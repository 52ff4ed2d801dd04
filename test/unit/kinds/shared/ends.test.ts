import { describe, expect, it, test } from 'vitest';
import type { ContainerEnd, ObservedContainer } from '../../../../operator/engine/api/observed.ts';
import { lastWordsQueries } from '../../../../operator/kinds/shared/ends.ts';
import { diagnosePod } from '../../../../operator/kinds/shared/diagnosis.ts';
import { container, server, shared, START } from '../model-serving/support.ts';

const asked = { gpu: 1, gpuResource: 'nvidia.com/gpu' };
const BUDGET_SECONDS = 800;
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

/** A run of the server that began at START. */
const run = (exitCode: number, seconds: number, over: Partial<ContainerEnd> = {}): ContainerEnd => ({
  exitCode,
  reason: exitCode === 0 ? 'Completed' : 'Error',
  message: 'last words',
  startedAt: at(0),
  finishedAt: at(seconds),
  ...over,
});

const BACKS_OFF = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s' } };
/** Started again a second after it ended. */
const again = (seconds: number) => ({ running: { startedAt: at(seconds + 1) } });

/**
 * A pod whose server ended.
 *
 * @param unready - seconds after START at which the pod ceased to be ready; before START where it never was
 */
const diagnose = (unready: number, over: Partial<ObservedContainer>) =>
  diagnosePod(
    server(shared, {
      unreadySince: START + unready * 1000,
      containers: [container('server', { startupSeconds: BUDGET_SECONDS, ...over })],
    }),
    asked,
  );

const NEVER = -60;

describe('the end of a server means', () => {
  test.each([
    // It had served.
    ['kill -9 after 8 minutes', 'Restarting', 480, { ...again(480), lastTerminated: run(137, 480), restarts: 1 }],
    ['the same, before it is started again', 'Restarting', 480, { terminated: run(137, 480) }],
    ['an exit code of its own', 'Restarting', 480, { ...again(480), lastTerminated: run(1, 480), restarts: 1 }],
    ['exit code 0', 'Restarting', 480, { ...again(480), lastTerminated: run(0, 480), restarts: 1 }],
    ['the third crash in weeks', 'Restarting', 9000, { ...again(9000), lastTerminated: run(1, 9000), restarts: 3 }],
    ['want of memory', 'OutOfMemory', 480, { terminated: run(137, 480, { reason: 'OOMKilled' }) }],
    ['a node that was started again', 'Restarting', 480, { lastTerminated: run(255, 480, { reason: 'Unknown' }) }],
    // It had served, and ends again and again.
    ['the second crash in minutes', 'CrashLoop!', 480, { ...again(480), lastTerminated: run(1, 480), restarts: 2 }],
    ['exit code 0, again and again', 'CrashLoop!', 90, { ...BACKS_OFF, lastTerminated: run(0, 90), restarts: 3 }],
    ['a back-off', 'CrashLoop!', 480, { ...BACKS_OFF, lastTerminated: run(139, 480), restarts: 1 }],
    [
      'want of memory, again and again',
      'OutOfMemory!',
      90,
      { ...BACKS_OFF, lastTerminated: run(137, 90, { reason: 'OOMKilled' }), restarts: 4 },
    ],
    // It never served.
    ['a bad flag', 'CrashLoop!', NEVER, { ...again(3), lastTerminated: run(2, 3), restarts: 1 }],
    ['exit code 0 at once', 'CrashLoop!', NEVER, { ...BACKS_OFF, lastTerminated: run(0, 3), restarts: 2 }],
    ['kill -9 within its budget', 'CrashLoop!', NEVER, { ...again(30), lastTerminated: run(137, 30), restarts: 1 }],
    ['SIGTERM within its budget', 'CrashLoop!', NEVER, { ...again(30), lastTerminated: run(143, 30), restarts: 1 }],
    ['SIGKILL at the end of its budget', 'NeverReady!', NEVER, { lastTerminated: run(137, 830), restarts: 1 }],
    ['SIGTERM at the end of its budget', 'NeverReady!', NEVER, { lastTerminated: run(143, 805), restarts: 1 }],
    ['exit code 0 when told at the end of it', 'NeverReady!', NEVER, { lastTerminated: run(0, 805), restarts: 1 }],
    // It served before its last run, and not in that.
    ['a crash that does not heal', 'CrashLoop!', -1, { ...again(20), lastTerminated: run(1, 20), restarts: 2 }],
    ['a restart that takes too long', 'NeverReady!', -1, { lastTerminated: run(137, 830), restarts: 2 }],
    // It is over it, and is unready for another cause.
    [
      'nothing, where it was ready since and is silent now',
      'NotAnswering',
      700,
      { ...again(480), started: true, lastTerminated: run(1, 480), restarts: 1 },
    ],
  ] as const)('%s: %s', (_what, expected, unready, over) => {
    const diagnosis = diagnose(unready, over);
    expect(diagnosis && `${diagnosis.reason}${diagnosis.stuck ? '!' : ''}`).toBe(expected);
  });

  it('what happened, with exit code, signal and last words', () => {
    expect(diagnose(480, { ...again(480), lastTerminated: run(137, 480), restarts: 1 })?.message).toBe(
      'Container server ended with exit code 137 (SIGKILL) after it had been ready, and is started again: last words. Read the log of its last run: kubectl logs --previous -c server.',
    );
    expect(diagnose(435, { ...again(480), lastTerminated: run(137, 480), restarts: 1 })?.message).toMatch(
      /^Container server ended with exit code 137 \(SIGKILL\) after it had been ready and had then failed its readiness probe for 45 s, and is started again: last words\. /,
    );
    expect(diagnose(435, { ...again(480), lastTerminated: run(137, 480), restarts: 2 })?.message).toMatch(
      /^Container server ends with exit code 137 \(SIGKILL\), again and again: it had been ready and had then failed its readiness probe for 45 s: last words\. /,
    );
    expect(diagnose(90, { ...BACKS_OFF, lastTerminated: run(0, 90), restarts: 3 })?.message).toBe(
      'Container server ends with exit code 0, again and again: last words. It is to run until it is stopped. Read the log of its last run: kubectl logs --previous -c server.',
    );
  });
});

it('the time for which a pod was unready is not that of a server beside others', () => {
  const ended = container('server', { ...again(480), lastTerminated: run(137, 480), restarts: 1 });
  const pod = server(shared, { unreadySince: START + 435_000, containers: [ended, container('proxy')] });
  expect(diagnosePod(pod, asked)?.message).toMatch(/after it had been ready, and is started again/);
});

describe('a server that runs', () => {
  const running = { running: { startedAt: at(0) } };

  it('and was ready is said not to answer, with the time, and that it heals', () => {
    expect(diagnose(435, running)).toEqual({
      reason: 'NotAnswering',
      message: `Container server runs, and has failed its readiness probe since ${at(435)}. Where its liveness probe fails as well, its node starts it again. Read its log: kubectl logs ${server(shared).name} -c server.`,
      stuck: false,
    });
  });

  it('and is ready, starts, or is being deleted is not', () => {
    expect(diagnose(435, { ...running, ready: true })).toBeUndefined();
    expect(diagnose(NEVER, running)).toBeUndefined();
    const leaving = server(shared, {
      deleting: true,
      unreadySince: START + 9,
      containers: [container('server', running)],
    });
    expect(diagnosePod(leaving, asked)).toBeUndefined();
  });
});

it('what has done its work is no failure', () => {
  const fetch = container('fetch', { init: true, ready: true, terminated: run(0, 40) });
  const again = container('fetch', { init: true, lastTerminated: run(0, 40), running: { startedAt: at(60) } });
  const program = container('trainer', { terminated: run(0, 40) });
  for (const one of [fetch, again, program]) {
    expect(diagnosePod(server(shared, { containers: [one] }), asked)).toBeUndefined();
  }
});

test.each([
  ['SIGKILL', run(137, 830)],
  ['SIGTERM, of which nobody tells how long it ran,', run(143, 5, { startedAt: '' })],
])('%s is no startup budget that is spent, where there is no startup probe', (_what, lastTerminated) => {
  const pod = server(shared, { containers: [container('server', { ...BACKS_OFF, lastTerminated, restarts: 3 })] });
  expect(diagnosePod(pod, asked)).toMatchObject({ reason: 'CrashLoop', stuck: true });
});

it('a native sidecar that ends with exit code 0 again and again is one', () => {
  const over = { ...BACKS_OFF, init: true, sidecar: true as const, lastTerminated: run(0, 3), restarts: 4 };
  const pod = server(shared, { containers: [container('proxy', over), container('server')] });
  expect(diagnosePod(pod, asked)).toMatchObject({ reason: 'CrashLoop', stuck: true });
});

describe('the last words of a server that ends with exit code 0, which no kubelet keeps,', () => {
  const silent = run(0, 90, { message: '' });
  const pod = server(shared, {
    containers: [container('server', { ...BACKS_OFF, lastTerminated: silent, restarts: 3 })],
  });

  it('are asked for, of the run that ended', () => {
    expect(lastWordsQueries([pod])).toEqual([
      expect.objectContaining({ type: 'podLog', pod: pod.name, container: 'server', previous: true }),
    ]);
  });

  it('are reported', () => {
    const [query] = lastWordsQueries([pod]);
    const answers = {
      [query?.id ?? '']: { at: START, type: 'podLog', text: 'EngineCore died\nShutting down.' } as const,
    };
    expect(diagnosePod(pod, asked, { answers })?.message).toMatch(/exit code 0: EngineCore died Shutting down\. /);
  });

  it('are not asked for where they are known, or there is no end', () => {
    const reported = container('server', { ...BACKS_OFF, lastTerminated: run(0, 90), restarts: 3 });
    const failed = container('server', { ...BACKS_OFF, lastTerminated: run(1, 90, { message: '' }), restarts: 3 });
    for (const one of [reported, failed, container('server', { ready: true, lastTerminated: silent })]) {
      expect(lastWordsQueries([server(shared, { containers: [one] })])).toEqual([]);
    }
  });
});
