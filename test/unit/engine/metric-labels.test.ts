import { expect, test } from 'vitest';
import { labelsIn } from '../../../operator/engine/queries/labels.ts';
import { SampleReader } from '../../../operator/engine/queries/prometheus.ts';

const of = (text: string) => Object.fromEntries(labelsIn(Buffer.from(text)));

test.each([
  ['gpu="0",UUID="GPU-1",pod="llama-a"', { gpu: '0', UUID: 'GPU-1', pod: 'llama-a' }],
  ['a = "x" , b="y",', { a: 'x', b: 'y' }],
  ['a="says \\"no\\", \\\\ and\\nmore"', { a: 'says "no", \\ and\nmore' }],
  ['a="}, b=\\"c"', { a: '}, b="c' }],
  ['a="é"', { a: 'é' }],
  ['', {}],
  ['a="never ends', {}],
  ['a="x" b="y"', {}],
  ['a="x",!,b="y"', { a: 'x' }],
])('the labels of %s are read', (text, labels) => {
  expect(of(text)).toEqual(labels);
});

test('labels of any length take time that grows with it', () => {
  const began = performance.now();
  labelsIn(Buffer.from(`a="${'\\\\'.repeat(16_000)}`));
  labelsIn(Buffer.from('a="b",'.repeat(5_000)));
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('a sample comes with its labels, and one without a number does not come', () => {
  const samples: [string, number, Record<string, string>][] = [];
  const reader = new SampleReader(['util'], ({ metric, value, labels }) => {
    samples.push([metric, value, Object.fromEntries(labelsIn(labels))]);
  });
  reader.push(
    Buffer.from('# TYPE util gauge\nutil{pod="a"} 93\nutil 4 1700000000\nutil{pod="b"} NaN\nutility{a="b"} 1\n'),
  );
  reader.end();
  expect(samples).toEqual([
    ['util', 93, { pod: 'a' }],
    ['util', 4, {}],
  ]);
});
