import { expect, test } from 'vitest';
import { ENGINE_TABLE } from '../../../constructs/model-serving/engine.table.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { MODEL, post, samplesOf, startEngine } from './support/engine.ts';

const names = ENGINE_TABLE.vllm.metrics?.names ?? {};
const LABELS = `{engine="0",model_name="${MODEL}"}`;

test('its metrics have the names that Trunnion reads, of the types that vLLM gives them', async () => {
  const { url } = await startEngine();
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  const types = Object.fromEntries([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]));
  expect(types).toEqual({
    [names.running ?? '']: 'gauge',
    [names.waiting ?? '']: 'gauge',
    [names.kvCacheUsage ?? '']: 'gauge',
    [names.timeToFirstToken ?? '']: 'histogram',
    [names.interTokenLatency ?? '']: 'histogram',
    'vllm:prompt_tokens_total': 'counter',
    [names.generatedTokens ?? '']: 'counter',
    'vllm:request_success_total': 'counter',
  });
  const sample = /^[a-z][\w:]*\{(?:[a-z_]+="[^"]*",?)+\} (?:\d+(?:\.\d+)?(?:e-?\d+)?)$/;
  const lines = text.trimEnd().split('\n');
  expect(lines.filter((line) => !line.startsWith('# ') && !sample.test(line))).toEqual([]);
});

test('it counts tokens, ends and times of what it answered', async () => {
  const { url } = await startEngine();
  await Promise.all([3, 5].map((tokens) => post(`${url}/v1/completions`, { prompt: 'one two', max_tokens: tokens })));
  const samples = await samplesOf(url);
  const histogram = (name = '') => ({
    count: samples.get(`${name}_count${LABELS}`),
    all: samples.get(`${name}_bucket{engine="0",le="+Inf",model_name="${MODEL}"}`),
    ten: samples.get(`${name}_bucket{engine="0",le="10.0",model_name="${MODEL}"}`),
  });
  expect(histogram(names.timeToFirstToken)).toEqual({ count: 2, all: 2, ten: 2 });
  expect(histogram(names.interTokenLatency)).toEqual({ count: 6, all: 6, ten: 6 });
  expect(samples.get(`vllm:prompt_tokens_total${LABELS}`)).toBe(4);
  expect(samples.get(`vllm:generation_tokens_total${LABELS}`)).toBe(8);
  const success = `vllm:request_success_total{engine="0",finished_reason="length",model_name="${MODEL}"}`;
  expect(samples.get(success)).toBe(2);
});

test('what is more than the most waits in a queue, and leaves it when clients leave', async () => {
  const { url } = await startEngine(['--max-num-seqs=2'], { LIGHT_KV_TOKENS: '1000' });
  const gone = new AbortController();
  const asked = Array.from({ length: 5 }, () =>
    post(`${url}/v1/completions`, { prompt: 'x', max_tokens: 20_000, ignore_eos: true }, gone.signal).catch(
      () => undefined,
    ),
  );
  const gauges = async () => {
    const samples = await samplesOf(url);
    return [names.running, names.waiting, names.kvCacheUsage].map((name) => samples.get(`${name}${LABELS}`) ?? -1);
  };
  await eventually(async () => {
    const [running, waiting, usage = 0] = await gauges();
    expect([running, waiting]).toEqual([2, 3]);
    expect(usage).toBeGreaterThan(0.01);
    expect(usage).toBeLessThanOrEqual(1);
  });
  gone.abort();
  await Promise.all(asked);
  await eventually(async () => expect(await gauges()).toEqual([0, 0, 0]));
});

test('a request that waited starts when another one ends, and its first token is late by that', async () => {
  const { url } = await startEngine(['--max-num-seqs=1']);
  const asked = { prompt: 'x', max_tokens: 60, ignore_eos: true };
  await Promise.all([1, 2].map(() => post(`${url}/v1/completions`, asked)));
  const samples = await samplesOf(url);
  // 60 tokens at 200 a second.
  expect(samples.get(`${names.timeToFirstToken}_sum${LABELS}`)).toBeGreaterThan(0.29);
});
