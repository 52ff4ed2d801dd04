import { describe, expect, test } from 'vitest';
import { reportedIn, valueIn } from '../../../../operator/kinds/distributed-training/reported.ts';
import { decide, ended, job, MINUTE, pods, resourceOf, said, SECOND, specOf, START, statusOf } from './support.ts';

describe('a result', () => {
  test.each([
    ['val_accuracy=0.93', [0.93]],
    ['epoch 3: loss=0.2, val_accuracy = 0.93', [0.93]],
    ['val_accuracy: 1e-3', [0.001]],
    ['  "val_accuracy": .5,', []],
    ['{"epoch": 3, "val_accuracy": 0.93}', [0.93]],
    ['{"val_accuracy": "0.93"}', [0.93]],
    ['{"loss": NaN, "val_accuracy": -2}', [-2]],
    ['{"val_accuracy": NaN}', [Number.NaN]],
    ['val_accuracy=nan', [Number.NaN]],
    ['val_accuracy=-inf', [Number.NaN]],
    ['best_val_accuracy=0.99', []],
    ['val_accuracy_top5=0.99', []],
    ['val_accuracy=high', []],
    ['val_accuracy=0.93.1', []],
    ['{"val_accuracy": 0.9', []],
    ['10%\rval_accuracy=0.1\r100% val_accuracy=0.2\n', [0.1, 0.2]],
  ])('is read from %j', (text, values) => {
    expect(reportedIn(text, 'val_accuracy')).toEqual(values);
  });

  test('is the last one or the best, whichever counts; what is no number is passed over by the best alone', () => {
    const text = 'f1=0.2\nf1=0.9\nf1=nan\nf1=0.4';
    expect(valueIn(text, { metric: 'f1', goal: 'maximize', take: 'last' })).toBe(0.4);
    expect(valueIn(text, { metric: 'f1', goal: 'maximize', take: 'best' })).toBe(0.9);
    expect(valueIn(text, { metric: 'f1', goal: 'minimize', take: 'best' })).toBe(0.2);
    expect(valueIn('f1=0.9\nf1=nan', { metric: 'f1', goal: 'maximize', take: 'last' })).toBeUndefined();
  });

  test('may have a name with a slash or a dot, which stands for itself', () => {
    expect(reportedIn('val/loss.1=3\nval/lossx1=4', 'val/loss.1')).toEqual([3]);
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
    const { status, asks } = decide(observed('f1=0.8'));
    expect(status).toMatchObject({ phase: 'Completed', objective: { metric: 'f1', value: 0.8 } });
    expect(asks).toEqual([]);
  });

  test('asks for the log where there are none, keeps only lines with the metric, and is over once it is read', () => {
    const waiting = decide(observed('bye'));
    expect(waiting.status.completionTime).toBeUndefined();
    expect(waiting.asks).toMatchObject([
      { id: 'objective', type: 'podLog', pod: 'resnet-1-0-abcde', container: 'trainer', containing: 'f1' },
    ]);
    const read = decide({ ...observed(''), facts: { objective: { at: START, type: 'podLog', text: 'f1=0.7\n' } } });
    expect(read.status).toMatchObject({ phase: 'Completed', objective: { metric: 'f1', value: 0.7 } });
  });

  test('waits for the last words where its Job is known to be complete before its pod is', () => {
    const early = { ...observed(''), pods: pods(complete, 1) };
    const waiting = decide(early);
    expect(waiting.status.completionTime).toBeUndefined();
    expect(waiting.asks).toEqual([]);
    expect(waiting.wakeAt).toBe(START + 5 * MINUTE);
    const told = { objective: { at: START, type: 'podLog', text: 'f1=0.1\n' } } as const;
    expect(decide({ ...early, facts: told }).status.objective).toBeUndefined();
    expect(decide(early, START + 5 * MINUTE).status.phase).toBe('Completed');
  });

  test('waits ten seconds for pods of which none is in sight, since their watch may be behind', () => {
    const unseen = { ...observed(''), pods: [] };
    const waiting = decide(unseen);
    expect(waiting.status.completionTime).toBeUndefined();
    expect(waiting.asks).toEqual([]);
    expect(waiting.wakeAt).toBe(START + 10 * SECOND);
    expect(decide({ ...unseen, pods: observed('f1=0.8').pods }).status.objective?.value).toBe(0.8);
    expect(decide(unseen, START + 10 * SECOND).status.phase).toBe('Completed');
  });

  test('is complete without a value where its log tells none', () => {
    const { status } = decide({ ...observed(''), facts: { objective: { at: START, type: 'podLog', text: '' } } });
    expect(said(status, 'Complete')).toBe('True Completed');
    expect(status.objective).toBeUndefined();
  });

  test('waits five minutes for a log that can not be read, and no longer', () => {
    const facts = { objective: { at: START, type: 'unknown', message: 'no route to host' } } as const;
    const early = decide({ ...observed(''), facts }, START + 4 * MINUTE);
    expect(early.status.completionTime).toBeUndefined();
    expect(early.wakeAt).toBe(START + 5 * MINUTE);
    expect(decide({ ...observed(''), facts }, START + 5 * MINUTE).status.phase).toBe('Completed');
  });

  test('keeps the value when its pods are gone', () => {
    const { status } = decide(observed('f1=0.8'));
    const later = decide({ resource: resourceOf(spec, { status }) }, START + MINUTE);
    expect(later.status.objective).toEqual({ metric: 'f1', value: 0.8 });
  });
});
