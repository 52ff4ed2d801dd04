import { expect, test } from 'vitest';
import type { ResourceLine } from '../../../../../cli/ui/api.ts';
import { changesOf } from '../../../../../cli/ui/page/model/changes.ts';
import { countsOf, namespacesOf, shownResources, wordsOfCount } from '../../../../../cli/ui/page/model/overview.ts';

const line = (name: string, more: Partial<ResourceLine> = {}): ResourceLine => ({
  kind: 'ModelServing',
  namespace: 'ml',
  name,
  phase: 'Ready',
  message: 'The rollout is complete.',
  state: 'ok',
  createdAt: '2026-11-28T08:00:00Z',
  ...more,
});

const resources = [
  line('llama-10'),
  line('llama-9'),
  line('mistral', { state: 'waiting', phase: 'Pending', message: 'No node has 8 × nvidia.com/gpu.' }),
  line('resnet', { kind: 'DistributedTraining', namespace: 'a', state: 'failed', phase: 'Failed' }),
];

const names = (filter: string): readonly string[] => shownResources(resources, filter).map(({ name }) => name);

test('failed resources come first, then those that wait; number 10 after number 9', () => {
  expect(names('')).toEqual(['resnet', 'mistral', 'llama-9', 'llama-10']);
});

test.each([
  ['llama', ['llama-9', 'llama-10']],
  ['NVIDIA.com', ['mistral']],
  ['modelserving/mis', ['mistral']],
  ['pending ml', ['mistral']],
  ['pending resnet', []],
  ['  ', ['resnet', 'mistral', 'llama-9', 'llama-10']],
  ['(', []],
])('the filter %j is words, each of which has to be somewhere', (filter, shown) => {
  expect(names(filter)).toEqual(shown);
});

test('resources are counted', () => {
  expect(countsOf(resources)).toEqual({ failed: 1, waiting: 1, ok: 2 });
  expect([wordsOfCount(1, 1), wordsOfCount(4, 4), wordsOfCount(2, 4)]).toEqual([
    '1 resource',
    '4 resources',
    '2 of 4 resources',
  ]);
});

test('the namespaces to choose from are those that were seen, each once', () => {
  expect(namespacesOf(['ml', 'a'], ['ml', ''])).toEqual(['a', 'ml']);
});

test.each([
  ['nothing', resources, resources, ''],
  ['a phase', [line('a')], [line('a', { phase: 'Updating' })], 'ModelServing a is Updating.'],
  ['a message alone', [line('a')], [line('a', { message: 'x' })], ''],
  ['a new one', [], [line('a', { phase: '' })], 'ModelServing a is new.'],
  ['one that goes', [line('a')], [], 'ModelServing a is gone.'],
  ['many', [], ['a', 'b', 'c', 'd'].map((name) => line(name)), '4 resources changed.'],
] as const)('what a screen reader says where %s changed', (_, before, after, words) => {
  expect(changesOf(before, after)).toBe(words);
});
