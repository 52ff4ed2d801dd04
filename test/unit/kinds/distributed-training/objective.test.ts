import { describe, expect, test } from 'vitest';
import { reportIn } from '../../../../operator/engine/queries/report/report.ts';
import { resultOf } from '../../../../operator/kinds/distributed-training/result.ts';
import {
  decide,
  ended,
  job,
  MINUTE,
  pods,
  resourceOf,
  conditionOf,
  SECOND,
  specOf,
  START,
  statusOf,
} from './support.ts';

describe('a result', () => {
  const text = 'f1=0.2\nf1=0.9\nf1=nan\nf1=0.4';
  const maximize = { metric: 'f1', goal: 'maximize' } as const;

  test('is the last one or the best, whichever counts; what is not a number is passed over by the best alone', () => {
    const report = reportIn(text, 'f1');
    expect(resultOf(report, { ...maximize, take: 'last' })).toEqual({ value: 0.4, line: 'f1=0.4' });
    expect(resultOf(report, { ...maximize, take: 'best' })).toEqual({ value: 0.9, line: 'f1=0.9' });
    expect(resultOf(report, { ...maximize, goal: 'minimize', take: 'best' })).toEqual({ value: 0.2, line: 'f1=0.2' });
  });

  test.each([
    ['f1=0.9\nf1=nan', 'last', 'f1 is no number in the line "f1=nan". Let the program end with one.'],
    [
      'f1=0.9\nf1=1,234.5',
      'last',
      'No f1 was read, since "1,234.5" is no plain number, in the line "f1=1,234.5". Print it with digits, at most one point and perhaps an exponent, and nothing else before the next space or comma: f1=0.93.',
    ],
    [
      'f1=93%\nf1=0.9',
      'best',
      'No f1 was read, since "93%" is no plain number, in the line "f1=93%". Print it with digits, at most one point and perhaps an exponent, and nothing else before the next space or comma: f1=0.93.',
    ],
    ['bye', 'last', 'Nothing told f1. Print it on a line of its own, or write it to /dev/termination-log: f1=0.93.'],
    [
      'f1 is 0.9',
      'last',
      'Nothing told f1, and no number behind its name in the line "f1 is 0.9". Print it on a line of its own, or write it to /dev/termination-log: f1=0.93.',
    ],
  ] as const)('is lacking in %j, which says what to print', (conditionOf, take, lack) => {
    expect(resultOf(reportIn(conditionOf, 'f1'), { ...maximize, take })).toEqual({ lack });
  });

  test('that was unclear once, and is not in the end, counts where the last one does', () => {
    expect(resultOf(reportIn('f1=93%\nf1=0.9', 'f1'), { ...maximize, take: 'last' })).toMatchObject({ value: 0.9 });
  });

  test('of a log that was not read to its end is not known', () => {
    const incomplete = 'the log is longer than 256 MiB';
    expect(resultOf({ ...reportIn('f1=0.9', 'f1'), incomplete }, { ...maximize, take: 'last' })).toEqual({
      lack: 'No f1 was read: the log is longer than 256 MiB. Write it to /dev/termination-log: f1=0.93.',
    });
  });
});

describe('a training with an objective', () => {
  const spec = specOf({ replicas: 1, objective: { metric: 'f1', goal: 'maximize' } });
  const done = job(spec, 1, 'worker', { condition: { type: 'Complete' } });
  const complete = {
    ...done,
    slice: { ...done.slice, status: { ...(done.slice['status'] as object), completionTime: '2026-01-01T00:00:00Z' } },
  };
  const observed = (message: string) => ({
    resource: resourceOf(spec, { status: statusOf(1) }),
    children: [complete],
    pods: pods(complete, 1, ended(0, { message })),
  });

  test('takes it from the last words of its program, and asks for no log', () => {
    const { status, queries } = decide(observed('f1=0.8'));
    expect(status).toMatchObject({ phase: 'Completed', objective: { metric: 'f1', value: 0.8, line: 'f1=0.8' } });
    expect(queries).toEqual([]);
  });

  test('asks for what the log reports where there are none, and is over once that is known', () => {
    const waiting = decide(observed('bye'));
    expect(waiting.status.completionTime).toBeUndefined();
    expect(waiting.queries).toMatchObject([
      { id: 'objective', type: 'reported', pod: 'resnet-1-0-abcde', container: 'trainer', metric: 'f1' },
    ]);
    const read = decide({
      ...observed(''),
      answers: { objective: { at: START, type: 'reported', ...reportIn('f1=0.7', 'f1') } },
    });
    expect(read.status).toMatchObject({ phase: 'Completed', objective: { metric: 'f1', value: 0.7, line: 'f1=0.7' } });
  });

  test('waits for the last words where its Job is known to be complete before its pod is', () => {
    const early = { ...observed(''), pods: pods(complete, 1) };
    const waiting = decide(early);
    expect(waiting.status.completionTime).toBeUndefined();
    expect(waiting.queries).toEqual([]);
    expect(waiting.requeueAt).toBe(START + 5 * MINUTE);
    const reported = { objective: { at: START, type: 'reported', ...reportIn('f1=0.1', 'f1') } } as const;
    expect(decide({ ...early, answers: reported }).status.objective).toBeUndefined();
    expect(decide(early, START + 5 * MINUTE).status.phase).toBe('Completed');
  });

  test('waits ten seconds for pods of which none is in sight, since their watch may be behind', () => {
    const unseen = { ...observed(''), pods: [] };
    const waiting = decide(unseen);
    expect(waiting.status.completionTime).toBeUndefined();
    expect(waiting.queries).toEqual([]);
    expect(waiting.requeueAt).toBe(START + 10 * SECOND);
    expect(decide({ ...unseen, pods: observed('f1=0.8').pods }).status.objective?.value).toBe(0.8);
    expect(decide(unseen, START + 10 * SECOND).status.phase).toBe('Completed');
  });

  test('is complete without a value where its log tells none, and says what to print', () => {
    const { status } = decide({ ...observed(''), answers: { objective: { at: START, type: 'reported' } } });
    expect(conditionOf(status, 'Complete')).toBe('True Completed');
    expect(status.objective).toBeUndefined();
    expect(status.conditions?.find(({ type }) => type === 'Complete')?.message).toBe(
      'All ranks succeeded. Nothing told f1. Print it on a line of its own, or write it to /dev/termination-log: f1=0.93.',
    );
  });

  test('waits five minutes for a log that cannot be read, and no longer', () => {
    const answers = { objective: { at: START, type: 'unknown', message: 'no route to host' } } as const;
    const early = decide({ ...observed(''), answers }, START + 4 * MINUTE);
    expect(early.status.completionTime).toBeUndefined();
    expect(early.requeueAt).toBe(START + 5 * MINUTE);
    expect(decide({ ...observed(''), answers }, START + 5 * MINUTE).status.phase).toBe('Completed');
  });

  test('has its log read at least once, however late its end is seen', () => {
    const late = START + 60 * MINUTE;
    const first = decide(observed('bye'), late);
    expect(first.status.completionTime).toBeUndefined();
    expect(first.queries).toMatchObject([{ id: 'objective', type: 'reported' }]);
    const read = { objective: { at: late, type: 'reported', ...reportIn('f1=0.7', 'f1') } } as const;
    expect(decide({ ...observed('bye'), answers: read }, late).status.objective?.value).toBe(0.7);
    const answers = { objective: { at: late, type: 'unknown', message: 'no route to host' } } as const;
    const over = decide({ ...observed('bye'), answers }, late);
    expect(over.status.phase).toBe('Completed');
    expect(over.queries).toEqual([]);
  });

  test('keeps the value when its pods are gone', () => {
    const { status } = decide(observed('f1=0.8'));
    const later = decide({ resource: resourceOf(spec, { status }) }, START + MINUTE);
    expect(later.status.objective).toEqual({ metric: 'f1', value: 0.8, line: 'f1=0.8' });
  });
});
