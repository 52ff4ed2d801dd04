import { expect, test } from 'vitest';
import { sumSamples } from '../../../operator/engine/prometheus.ts';

const TEXT = `# HELP vllm:num_requests_running Number of requests.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{model_name="a",engine="0"} 2.0
vllm:num_requests_running{model_name="b} 7 \\" {x",engine="1"} 3.0 1700000000000
vllm:num_requests_waiting 1e1
vllm:num_requests_waiting_total 99
  indented 5
nan_metric NaN
inf_metric +Inf
broken{a="b 1
`;

test.each([
  ['all samples of a metric are summed, whatever their labels hold', ['vllm:num_requests_running'], 5],
  ['a metric without labels, in exponent form', ['vllm:num_requests_waiting'], 10],
])('%s', (_, [name = ''], sum) => {
  expect(sumSamples(TEXT, [name])).toEqual({ [name]: sum });
});

test('what is no number, not finite, malformed or not there is left out', () => {
  expect(sumSamples(TEXT, ['nan_metric', 'inf_metric', 'broken', 'absent', 'indented', '#'])).toEqual({});
});

test('a hostile text costs no more than its length', () => {
  const hostile = `m{${'a="\\\\",'.repeat(100_000)}`;
  const started = performance.now();
  expect(sumSamples(hostile, ['m'])).toEqual({});
  expect(performance.now() - started).toBeLessThan(1_000);
});
