import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import { decide, job, MINUTE, pods, resourceOf, SECOND, specOf, START, statusOf } from './support.ts';

const spec = specOf({ replicas: 2 });
const first = job(spec);
const ranks = pods(first, 2);
const resource = resourceOf(spec, { status: statusOf(1, { startTime: '2026-01-01T00:00:00Z' }) });
/** Long after its start, when what nobody owns would be removed. */
const NOW = START + 60 * MINUTE;

const ASK = { id: `job/${first.uid}`, type: 'object', name: first.name };
const answered = (uid: string | undefined, at: number = NOW): Readonly<Record<string, Answer>> => ({
  [ASK.id]: { at, type: 'object', ...(uid !== undefined && { uid }) },
});
const decided = (answers: Readonly<Record<string, Answer>>) =>
  decide({ resource, children: [], pods: ranks, answers }, NOW);

describe('where pods of the present attempt name a Job that no watch has told of', () => {
  it.each([
    ['nothing is known', {}],
    ['it could not be found out', { [ASK.id]: { at: NOW, type: 'unknown', message: 'no answer' } } as const],
    ['it was there some time ago', answered(first.uid, NOW - 3 * SECOND)],
  ])('all stays as it is and the server is asked, while %s', (_, answers) => {
    const result = decided(answers);
    expect(result).toMatchObject({ waitForAnswers: true, requeueAt: NOW + SECOND });
    expect(result.status.attempts).toBeUndefined();
    expect(result.queries).toContainEqual(expect.objectContaining(ASK));
    expect(result.removePods).toBeUndefined();
  });

  it('the attempt continues where it is there: the Job is taken back, and no pod is removed', () => {
    const result = decided(answered(first.uid));
    expect(result.waitForAnswers).toBeUndefined();
    expect(result.state).toEqual({ attempt: 1 });
    expect(result.status.attempts).toBeUndefined();
    expect(result.removePods).toBeUndefined();
  });

  it.each([
    ['there is none', undefined],
    ['that of its name is another', 'uid-of-another'],
  ])('the attempt is over where %s', (_, uid) => {
    const { waitForAnswers, status, state } = decided(answered(uid));
    expect(waitForAnswers).toBeUndefined();
    expect(status.attempts).toMatchObject([{ reason: 'JobDeleted', charged: 0 }]);
    expect(state).toEqual({ attempt: 2, lifecycle: 'stopped' });
  });

  describe('and that are as old as the resource, by the second,', () => {
    const unstarted = resourceOf(spec);
    const named = (answer: Partial<Answer & { type: 'object' }>) => ({
      [ASK.id]: { at: NOW, type: 'object', ...answer } as const,
    });

    it.each([
      ['while it is the Job of an earlier resource', unstarted, { uid: first.uid, ownerUid: 'uid-of-an-earlier' }],
      ['though it has started itself', resource, { uid: first.uid, ownerUid: 'uid-of-an-earlier' }],
      ['once the Job is gone, and none of its own was ever seen', unstarted, {}],
    ])('they are waited for, as those of an earlier one, %s', (_, of, answer) => {
      const { waitForAnswers, status, state, queries } = decide(
        { resource: of, children: [], pods: ranks, answers: named(answer) },
        NOW,
      );
      expect(waitForAnswers).toBeUndefined();
      expect(status.attempts).toBeUndefined();
      expect(status.replicas).toBe(0);
      expect(state).toEqual({ attempt: 1, lifecycle: 'stopped' });
      expect(queries).toContainEqual(expect.objectContaining(ASK));
    });

    it('they continue where the Job says that it belongs to this one', () => {
      const answers = named({ uid: first.uid, ownerUid: 'uid-of-resnet' });
      const { state } = decide({ resource: unstarted, children: [], pods: ranks, answers }, NOW);
      expect(state).toEqual({ attempt: 1 });
    });
  });

  it('nothing is asked once the Job is in sight', () => {
    const { queries, waitForAnswers } = decide({ resource, children: [first], pods: ranks }, NOW);
    expect(queries).not.toContainEqual(expect.objectContaining({ type: 'object' }));
    expect(waitForAnswers).toBeUndefined();
  });

  it('nothing is asked about pods of an earlier attempt, or of an earlier resource of this name', () => {
    const second = decide({ resource: resourceOf(spec, { status: statusOf(2) }), pods: ranks }, NOW);
    const older = ranks.map((pod) => ({ ...pod, createdAt: START - MINUTE }));
    for (const { queries, waitForAnswers } of [second, decide({ resource, pods: older }, NOW)]) {
      expect(queries).not.toContainEqual(expect.objectContaining({ type: 'object' }));
      expect(waitForAnswers).toBeUndefined();
    }
  });
});
