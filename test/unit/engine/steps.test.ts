import { expect, it, test } from 'vitest';
import type { BareCondition } from '../../../operator/engine/api/resource.ts';
import type { Query } from '../../../operator/engine/api/queries.ts';
import { runSteps } from '../../../operator/engine/api/steps.ts';
import type { PartialResult } from '../../../operator/engine/api/steps.ts';

interface State {
  readonly attempt?: number;
  readonly lifecycle?: string;
}
interface Status {
  readonly phase?: string;
  readonly replicas?: number;
}

const condition = (type: string): BareCondition => ({ type, status: 'True', reason: type, message: '' });
const query = (id: string): Query => ({ id, type: 'secret', name: id, everySeconds: 60 });
const pod = (name: string) => ({ name, uid: name });
const mark = (name: string) => ({ name, uid: name, labels: {}, gate: 'g' });
const none = { state: {}, status: {}, conditions: [] };

/** What steps that add these parts come to. */
const combined = (...parts: readonly PartialResult<State, Status>[]) =>
  runSteps<undefined, State, Status>(
    parts.map((part) => () => part),
    undefined,
  );

test.each<[what: string, parts: readonly PartialResult<State, Status>[], result: object]>([
  ['nothing', [], none],
  ['nothing said', [{}, {}], none],
  [
    'fields of the state and the status, each by one step',
    [
      { state: { attempt: 2 }, status: { replicas: 1 } },
      { state: { lifecycle: 'x' }, status: { phase: 'Up' } },
    ],
    { ...none, state: { attempt: 2, lifecycle: 'x' }, status: { replicas: 1, phase: 'Up' } },
  ],
  [
    'a field that two steps give: the later wins',
    [{ status: { phase: 'Pending' } }, { status: { phase: 'Up' } }],
    { ...none, status: { phase: 'Up' } },
  ],
  [
    'conditions, in the order of the steps',
    [{ conditions: [condition('A')] }, {}, { conditions: [condition('B'), condition('C')] }],
    { ...none, conditions: [condition('A'), condition('B'), condition('C')] },
  ],
  [
    'queries',
    [{ queries: [query('a')] }, { queries: [] }, { queries: [query('b')] }],
    { ...none, queries: [query('a'), query('b')] },
  ],
  ['no query', [{ queries: [] }], none],
  ['children to replace', [{ replace: ['a'] }, { replace: ['b'] }], { ...none, replace: ['a', 'b'] }],
  [
    'pods to remove',
    [{ removePods: [pod('a')] }, { removePods: [pod('b')] }],
    { ...none, removePods: [pod('a'), pod('b')] },
  ],
  [
    'pods to mark',
    [{ markPods: [mark('a')] }, { markPods: [mark('b')] }],
    { ...none, markPods: [mark('a'), mark('b')] },
  ],
  [
    'Secrets to make',
    [{ makeSecrets: [{ name: 'a', by: 'key' }] }, { makeSecrets: [{ name: 'b', by: 'key' }] }],
    {
      ...none,
      makeSecrets: [
        { name: 'a', by: 'key' },
        { name: 'b', by: 'key' },
      ],
    },
  ],
  ['the earliest time', [{ requeueAt: 5 }, {}, { requeueAt: 3 }, { requeueAt: 4 }], { ...none, requeueAt: 3 }],
  ['a release', [{}, { release: true }, { release: false }], { ...none, release: true }],
  ['a wait for answers', [{ waitForAnswers: true }, {}], { ...none, waitForAnswers: true }],
  ['the status first', [{ statusFirst: true }], { ...none, statusFirst: true }],
  ['an end', [{ expire: false }, { expire: true }], { ...none, expire: true }],
  ['no flag', [{ release: false, expire: false }], none],
])('steps add up to %s', (_, parts, result) => {
  expect(combined(...parts)).toEqual(result);
});

it('gives every step the same context', () => {
  const seen: unknown[] = [];
  const look = (context: object) => {
    seen.push(context);
    return {};
  };
  const context = {};
  runSteps<object, State, Status>([look, look], context);
  expect(seen).toEqual([context, context]);
});

it('tells by its stack which step failed', () => {
  function fetchWeights(): never {
    throw new Error('no volume');
  }
  expect(() => runSteps([fetchWeights], {})).toThrow(
    expect.objectContaining({ message: 'no volume', stack: expect.stringContaining('fetchWeights') }),
  );
});
