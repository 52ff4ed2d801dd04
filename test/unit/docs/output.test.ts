import { describe, expect, test } from 'vitest';
import { prints } from '../../docs/support/output.ts';
import { anchorsOf, commandsOf } from '../../support/markdown.ts';

describe('what a page says that a command prints', () => {
  const printed = ['NAME   READY   AGE', 'qwen   1       25s', 'pod/qwen-6f9c7d9b5-x2x7p created', 'done'];

  test.for([
    { shown: ['NAME  READY  AGE', 'qwen  1  3s'], is: true },
    { shown: ['pod/qwen-5d4b8f7c6-zq4wd created'], is: true },
    { shown: ['NAME READY AGE', '…', 'done'], is: true },
    { shown: [], is: true },
    { shown: ['done', 'NAME READY AGE'], is: false },
    { shown: ['llama  1  25s'], is: false },
    { shown: ['done', 'done'], is: false },
  ])('is $is of $shown', ({ shown, is }) => {
    expect(prints(printed, shown)).toBe(is);
  });
});

test('commands are what stands after a $, with their output, and may continue in a next line', () => {
  const text = '$ kubectl get \\\n    pods\nNAME\n$ true\n';
  expect(commandsOf({ file: 'a.md', info: 'console', text })).toEqual([
    { line: 'kubectl get pods', prints: ['NAME'] },
    { line: 'true', prints: [] },
  ]);
  expect(commandsOf({ file: 'a.md', info: 'sh', text: '# why\nkubectl get pods\n' })).toEqual([
    { line: 'kubectl get pods', prints: [] },
  ]);
});

test('headings are linked to as the web names them', () => {
  const page = "# A `kind` is\n## Pods that don't start\n## [A](b.md) b\n## A b\n```sh\n# no heading\n```\n";
  expect([...anchorsOf(page)]).toEqual(['a-kind-is', 'pods-that-dont-start', 'a-b', 'a-b-1']);
});
