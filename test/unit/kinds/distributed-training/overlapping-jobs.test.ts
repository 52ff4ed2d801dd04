import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import { decide, job, MINUTE, pods, resourceOf, SECOND, specOf, START, statusOf } from './support.ts';

const spec = specOf({ replicas: 2 });
const resource = resourceOf(spec, { status: statusOf(4) });
const present = job(spec, 4);
const before = job(spec, 3);
const NOW = START + MINUTE;

const ASK = { id: `job/${before.uid}`, type: 'object', name: before.name };
const answered = (uid: string | undefined, at: number = NOW): Readonly<Record<string, Answer>> => ({
  [ASK.id]: { at, type: 'object', ...(uid !== undefined && { uid }) },
});
const decided = (answers: Readonly<Record<string, Answer>>) =>
  decide({ resource, children: [present, before], pods: pods(present, 2), answers }, NOW);

describe('where a Job of another attempt is in sight beside the present one', () => {
  it.each([
    ['nothing is known', {}],
    ['it could not be found out', { [ASK.id]: { at: NOW, type: 'unknown', message: 'no answer' } } as const],
  ])('all stays as it is and the server is asked, while %s', (_, answers) => {
    const result = decided(answers);
    expect(result).toMatchObject({ waitForAnswers: true, requeueAt: NOW + SECOND });
    expect(result.queries).toContainEqual(expect.objectContaining(ASK));
    expect(result.status.attempts).toBeUndefined();
  });

  it('both are over where it is there', () => {
    const { waitForAnswers, status, state } = decided(answered(before.uid));
    expect(waitForAnswers).toBeUndefined();
    expect(status.attempts).toMatchObject([{ number: 4, reason: 'Overlap', charged: 0 }]);
    expect(state).toEqual({ attempt: 5, lifecycle: 'stopped' });
  });

  it.each([
    ['there is none', undefined],
    ['that of its name is another', 'uid-of-another'],
  ])('the attempt continues where %s, since the watch of Jobs is behind', (_, uid) => {
    const { waitForAnswers, status, state } = decided(answered(uid, NOW - MINUTE));
    expect(waitForAnswers).toBeUndefined();
    expect(status.attempts).toBeUndefined();
    expect(state).toEqual({ attempt: 4 });
  });

  it('nobody is asked of one that is being deleted', () => {
    const leaving = { ...before, deleting: true };
    const { waitForAnswers, queries } = decide({ resource, children: [present, leaving], pods: pods(present, 2) }, NOW);
    expect(waitForAnswers).toBeUndefined();
    expect(queries).not.toContainEqual(expect.objectContaining(ASK));
  });
});
