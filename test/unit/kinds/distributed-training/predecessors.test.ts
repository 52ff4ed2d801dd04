import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import { decide, job, MINUTE, pods, resourceOf, SECOND, specOf, START, statusOf } from './support.ts';

const spec = specOf({ framework: 'tensorflow', replicas: 2, tensorflow: { parameterServers: 1 } });
const resource = resourceOf(spec, {
  status: statusOf(2, {
    attempts: [{ number: 1, reason: 'Suspended', charged: 0, finishedAt: '2026-01-01T00:01:00Z' }],
  }),
});
const NOW = START + 62 * SECOND;
const ROLES = ['chief', 'worker', 'ps'];
const queries = ROLES.map((role) => ({ id: `job/resnet-${role}-1`, type: 'object', name: `resnet-${role}-1` }));

const gone: Answer = { at: NOW, type: 'object' };
const allGone = Object.fromEntries(queries.map(({ id }) => [id, gone]));

describe('an attempt that is to begin, with nothing of the one before in sight,', () => {
  it('asks the API server for the Jobs of the one before, and waits', () => {
    const { queries: asked, state } = decide({ resource }, NOW);
    expect(state).toEqual({ attempt: 2, lifecycle: 'stopped' });
    expect(asked).toEqual(expect.arrayContaining(queries.map((query) => expect.objectContaining(query))));
  });

  it('begins where all of them are gone', () => {
    expect(decide({ resource, answers: allGone }, NOW).state).toEqual({ attempt: 2 });
  });

  it.each([
    ['of one it could not be found out', { at: NOW, type: 'unknown', message: 'no answer' }],
    ['one is there', { ...gone, uid: 'a' }],
    ['one is on its way out, since its pods are', { ...gone, leaving: true }],
  ] as const)('waits where %s', (_, answer) => {
    const { state, requeueAt } = decide({ resource, answers: { ...allGone, 'job/resnet-ps-1': answer } }, NOW);
    expect(state).toEqual({ attempt: 2, lifecycle: 'stopped' });
    expect(requeueAt).toBe(START + 70 * SECOND);
  });

  it('waits no longer than ten seconds for one of which no watch tells', () => {
    const answers = { ...allGone, 'job/resnet-ps-1': { ...gone, uid: 'a' } };
    expect(decide({ resource, answers }, START + 70 * SECOND).state).toEqual({ attempt: 2 });
  });

  it('asks for nothing while it is paused, once it has begun, and where it is the first', () => {
    const paused = resourceOf(spec, { status: { ...resource.status, nextAttemptAt: '2026-01-01T00:02:00Z' } });
    const present = ROLES.map((role) => job(spec, 2, role as 'worker'));
    const begun = { resource, children: present, pods: pods(present[1]!, 2) };
    const first = { resource: resourceOf(spec) };
    for (const each of [{ resource: paused }, begun, first])
      expect(decide(each, START + MINUTE + SECOND).queries.filter(({ type }) => type === 'object')).toEqual([]);
  });
});
