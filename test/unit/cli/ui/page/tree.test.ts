import { expect, test } from 'vitest';
import type { StatusNode } from '../../../../../cli/status/types.ts';
import { type Branches, branchesOf, isFoldable } from '../../../../../cli/ui/page/model/tree.ts';

const node = (name: string, more: Partial<StatusNode> = {}): StatusNode => ({
  kind: 'Pod',
  name,
  state: 'ok',
  summary: '',
  because: [],
  children: [],
  ...more,
});

const pods = (count: number): readonly StatusNode[] =>
  Array.from({ length: count }, (_, index) => node(`pod-${index}`));

/** The tree as text: a name each, deeper ones behind more dots. */
const drawn = ({ shown, folded }: Branches, depth = ''): readonly string[] => [
  ...shown.flatMap(({ name, because, below }) => [
    `${depth}${name}`,
    ...because.map(({ words, isAbove }) => `${depth}- ${isAbove ? 'as above' : words}`),
    ...drawn(below, `${depth}.`),
  ]),
  ...(folded > 0 ? [`${depth}${folded} folded`] : []),
];

test('eight pods that are well are shown one by one, and more of them as one line', () => {
  expect(drawn(branchesOf(pods(8), false))).toHaveLength(8);
  expect(drawn(branchesOf(pods(9), false))).toEqual(['9 folded']);
  expect(drawn(branchesOf(pods(9), true))).toHaveLength(9);
});

test('a pod that is not well is shown beside those that are folded', () => {
  const crowd = [node('sick', { state: 'failed', because: ['OOM-killed'] }), ...pods(20)];
  const job = node('job', { kind: 'Job', children: crowd });
  expect(drawn(branchesOf([job], false))).toEqual(['job', '.sick', '.- OOM-killed', '.20 folded']);
  expect([isFoldable([job]), isFoldable(pods(8))]).toEqual([true, false]);
});

test('a reason that was given above is not given again', () => {
  const because = ['No node has 8 × nvidia.com/gpu.'];
  const sick = ['a', 'b'].map((name) => node(name, { state: 'waiting', because }));
  expect(drawn(branchesOf(sick, false))).toEqual(['a', `- ${because[0]}`, 'b', '- as above']);
});

test('objects of one name have keys of their own', () => {
  const keys = branchesOf([node('a'), node('a'), node('')], true).shown.map(({ key }) => key);
  expect(new Set(keys).size).toBe(3);
});
