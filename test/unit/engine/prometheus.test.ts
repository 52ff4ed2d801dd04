import { expect, test } from 'vitest';
import { SampleSums } from '../../../operator/engine/queries/prometheus.ts';
import { cpuMsOf } from '../../support/cpu.ts';

const TEXT = `# HELP vllm:num_requests_running Number of requests.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{model_name="a",engine="0"} 2.0
vllm:num_requests_running{model_name="b} 7 \\" {x",engine="1"} 3.0 1700000000000
vllm:num_requests_waiting 1e1
vllm:num_requests_waiting_total 99
  indented 5
\tindented {a="b"} 7
nan_metric NaN
inf_metric +Inf
`;

/** Sums samples of a text that comes in pieces of so many bytes. */
function sumSamples(text: string, metrics: readonly string[], piece = 7): Readonly<Record<string, number>> {
  const sums = new SampleSums(metrics);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += piece) sums.push(bytes.subarray(at, at + piece));
  return sums.end();
}

test.each([
  ['all samples of a metric are summed, whatever their labels hold', ['vllm:num_requests_running'], 5],
  ['a metric without labels, in exponent form', ['vllm:num_requests_waiting'], 10],
  ['a sample behind spaces, and labels behind one', ['indented'], 12],
])('%s', (_, [name = ''], sum) => {
  expect(sumSamples(TEXT, [name])).toEqual({ [name]: sum });
});

test('what has no number, is not finite or not there is left out', () => {
  expect(sumSamples(TEXT, ['nan_metric', 'inf_metric', 'absent', '#'])).toEqual({});
});

test.each([
  ['labels that do not end', 'm 1\nm{a="b 1\n'],
  ['a value that is none', 'm 1\nm{a="b"} much\n'],
  ['no value', 'm 1\nm{a="b"}\n'],
  ['a number in digits of another base', 'm 1\nm 0x10\n'],
  ['a number that is too large', 'm 1\nm 1e309\n'],
  ['a name within the braces', 'm 1\n{"m",a="b"} 2\n'],
  ['an end within a line: its number may continue', 'm 1\nm 2'],
  ['more lines than an engine has', 'm 1\n'.repeat(20_001)],
  ['a line that is too long', `m 1\nm{a="${'x'.repeat(40_000)}"} 2\n`],
])('%s gives no sum, rather than one that is too low', (_, text) => {
  expect(() => sumSamples(text, ['m'], 4_096)).toThrow(
    /can't be read|ends? within a line|more than 20000 lines|longer than 32768 bytes/,
  );
});

test('what is broken of a metric that nobody asks for is passed over', () => {
  expect(sumSamples('other{a="b 1\nm 2\n', ['m'])).toEqual({ m: 2 });
});

test.each([
  ['one line without an end', `m{${'a="\\\\",'.repeat(200_000)}`],
  ['lines of one byte', 'm\n'.repeat(500_000)],
  ['braces and quotes', '{"}'.repeat(300_000)],
])('a hostile text costs no more than its length: %s', (_, hostile) => {
  const read = () =>
    expect(() => sumSamples(hostile, ['m'], 2 ** 16)).toThrow(/can't be read|within a line|lines|longer/);
  expect(cpuMsOf(read)).toBeLessThan(500);
});
