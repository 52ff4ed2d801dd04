import { describe, expect, test } from 'vitest';
import { notesOf, type Prospect } from '../../../../cli/plan/notes.ts';
import { raisableOf } from '../../../../cli/plan/raisable.ts';
import type { CommonStatus, Condition } from '../../../../operator/engine/api/resource.ts';
import type { KubeClient } from '../../../../operator/kube/index.ts';
import { distributedTraining } from '../../../../operator/kinds/distributed-training/index.ts';
import { searchSpec, SearchWorld } from '../../kinds/distributed-training/search.ts';
import { resourceOf } from '../../kinds/distributed-training/support.ts';

const condition = (type: string, status: Condition['status'], reason: string, message = ''): Condition => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: '',
});

const running: CommonStatus = { phase: 'Running', conditions: [condition('Complete', 'False', 'Unfinished')] };
const ended = {
  phase: 'Completed',
  completionTime: '2026-01-01T01:00:00Z',
  conditions: [condition('Complete', 'True', 'Completed', 'All 3 trials have ended.')],
};
const failed = {
  phase: 'Failed',
  completionTime: '2026-01-01T02:00:00Z',
  conditions: [
    condition('Complete', 'False', 'DeadlineExceeded'),
    condition('Failed', 'True', 'DeadlineExceeded', 'It ran longer than activeDeadlineSeconds.'),
  ],
};
const suspended = { phase: 'Suspended', conditions: [condition('Suspended', 'True', 'Suspended')] };
const again = 'and nothing is run again: to run it again, make a new resource';

test.each<[string, Omit<Prospect, 'raisable'> & Partial<Prospect>, readonly string[]]>([
  ['runs, and continues', { before: running, after: running }, []],
  ['is new, and starts', { before: undefined, after: running }, []],
  ['has ended', { before: ended, after: ended }, [`It has ended (Completed, at 2026-01-01T01:00:00Z), ${again}.`]],
  [
    "has ended, and is another operator's in our words",
    {
      before: { phase: 'Succeeded', workload: ended } as CommonStatus,
      after: { phase: 'Succeeded', workload: ended } as CommonStatus,
    },
    [`It has ended (Succeeded, at 2026-01-01T01:00:00Z), ${again}.`],
  ],
  [
    'has ended, and would continue with more trials',
    { before: ended, after: ended, raisable: ['spec.tuning.maxTrials'] },
    [`It has ended (Completed, at 2026-01-01T01:00:00Z), ${again}, or raise spec.tuning.maxTrials.`],
  ],
  ['has ended, and continues by what is applied', { before: ended, after: running }, []],
  [
    'runs, and ends by what is applied',
    { before: running, after: ended, raisable: ['spec.tuning.maxTrials'] },
    [`It ends once this is applied (Completed: All 3 trials have ended.), ${again}, or raise spec.tuning.maxTrials.`],
  ],
  [
    'runs, and fails by what is applied',
    { before: running, after: failed },
    [`It ends once this is applied (Failed: It ran longer than activeDeadlineSeconds.), ${again}.`],
  ],
  [
    'was suspended, and fails by what is applied',
    { before: suspended, after: failed },
    [`It ends once this is applied (Failed: It ran longer than activeDeadlineSeconds.), ${again}.`],
  ],
  [
    'is suspended',
    { before: running, after: suspended },
    ['It is suspended: no pod runs until spec.suspend is false.'],
  ],
])('what a plan notes of a training that %s', (_, prospect, notes) => {
  expect(notesOf({ raisable: [], ...prospect })).toEqual(notes);
});

/** Nobody's answer is needed: a search asks for computations alone. */
const nobody = { raw: () => Promise.reject(new Error('nobody is asked')) } as unknown as KubeClient;

const raisable = async (search: SearchWorld, generation = 1) => {
  const { spec, status, children } = search;
  const resource = resourceOf(spec, { ...(status && { status }), generation });
  return raisableOf(nobody, distributedTraining, {
    resource,
    children,
    pods: [],
    related: {},
    answers: {},
    failures: [],
  });
};

/** A search of which each trial ends at once. */
function over(
  tuning: Parameters<typeof searchSpec>[0],
  end: (search: SearchWorld, trial: number) => unknown,
): SearchWorld {
  const search = new SearchWorld(searchSpec({ algorithm: 'random', parallelTrials: 1, ...tuning }));
  for (let pass = 0; pass < 30 && search.status?.completionTime === undefined; pass++) {
    search.operate();
    for (const trial of search.running) end(search, trial);
  }
  expect(search.status?.completionTime).toBeDefined();
  return search;
}

describe('a search that has ended would continue', () => {
  const well = (search: SearchWorld, trial: number) => search.complete(trial, 0.5);
  const badly = (search: SearchWorld, trial: number) => search.fail(trial);

  test('with more trials, where it has ended all that it may have', async () => {
    expect(await raisable(over({ maxTrials: 2 }, well))).toEqual(['spec.tuning.maxTrials']);
  });

  test('with more trials that may fail, where too many have', async () => {
    expect(await raisable(over({ maxTrials: 8, maxFailedTrials: 1 }, badly))).toEqual(['spec.tuning.maxFailedTrials']);
  });

  test('with neither, where it has reached its target', async () => {
    const objective = { metric: 'accuracy', goal: 'maximize', target: 0.4 } as const;
    expect(await raisable(over({ maxTrials: 2, objective }, well))).toEqual([]);
  });

  test('with neither, where it has tried all there is', async () => {
    const parameters = { optimizer: { type: 'categorical' as const, values: ['adam', 'sgd'] } };
    expect(await raisable(over({ maxTrials: 2, algorithm: 'grid', parameters }, well))).toEqual([]);
  });
});
