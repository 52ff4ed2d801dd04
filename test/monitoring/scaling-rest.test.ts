import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { stringify } from 'yaml';
import { ENGINE_TABLE } from '../../constructs/model-serving/engine.table.ts';
import { queriesOf } from '../../constructs/model-serving/scaling.ts';
import { run } from '../support/run.ts';
import { type Load, published } from './support/queue.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-rest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const metrics = ENGINE_TABLE.vllm.metrics?.names ?? {};
const BOUNDS = [0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10, 20, Infinity];
const MOST = 16;
const TARGET = 500;

/** What the pods of so many replicas publish in 40 minutes of a load. */
const seriesOf = (load: Load, replicas: number) =>
  published(load, replicas, BOUNDS, { samples: 81, every: 30 }).flatMap(({ running, waiting, buckets }, pod) => {
    const own = `namespace="models",pod="llama-6d5f-${pod}",engine="0"`;
    return [
      { series: `vllm:num_requests_running{${own}}`, values: running.join(' ') },
      { series: `vllm:num_requests_waiting{${own}}`, values: waiting.join(' ') },
      ...buckets.map((values, each) => ({
        series: `vllm:time_to_first_token_seconds_bucket{${own},le="${BOUNDS[each] === Infinity ? '+Inf' : BOUNDS[each]}"}`,
        values: values.join(' '),
      })),
    ];
  });

/** When an autoscaler looks: after ten minutes, each minute for half an hour. */
const TIMES = Array.from({ length: 31 }, (_, each) => `${10 + each}m`);

/** What the query gives at each of these times, in the words of promtool, which tells it where it was not expected. */
async function valuesOf(load: Load, replicas: number): Promise<readonly number[]> {
  const [query] = queriesOf({ name: 'llama', namespace: 'models', targets: { ttftMilliseconds: TARGET }, metrics });
  const path = join(folder, 'test.yaml');
  const checks = TIMES.map((time) => ({
    expr: query?.query,
    eval_time: time,
    exp_samples: [{ labels: '{}', value: -1 }],
  }));
  const tests = [{ interval: '30s', input_series: seriesOf(load, replicas), promql_expr_test: checks }];
  writeFileSync(path, stringify({ evaluation_interval: '30s', tests }));
  const { stdout, stderr } = await run(inject('prometheus').promtool, ['test', 'rules', path]);
  const values = [...(stdout + stderr).matchAll(/got:\s*\{\}\s+([\d.E+-]+)/g)].map(([, value]) => Number(value));
  if (values.length !== TIMES.length) throw new Error(stdout + stderr);
  return values;
}

/**
 * The replicas that an autoscaler goes through, at worst. It rounds the quotient up, unless that is within a tenth of what
 * there is; it adds what it has asked for in each look of a minute, and gives up what it asked for in no look.
 */
async function course(load: Load, from: number): Promise<readonly number[]> {
  const seen = [from];
  for (;;) {
    const now = seen.at(-1) ?? from;
    const asked = (await valuesOf(load, now)).map((value) => {
      const quotient = value / TARGET;
      return Math.abs(quotient / now - 1) <= 0.1 ? now : Math.min(MOST, Math.max(1, Math.ceil(quotient)));
    });
    const most = Math.max(...asked);
    const lasting = Math.max(...asked.map((each, at) => Math.min(each, asked[at + 1] ?? each)));
    const next = lasting > now ? lasting : Math.min(most, now);
    if (next === now || seen.includes(next)) return seen;
    seen.push(next);
  }
}

const slow: Load = { perSecond: 1, firstToken: 0.6, answer: 6, slots: 16 };

describe('with a first token that an idle replica takes 600 ms for, against a target of 500,', () => {
  test.each([0.5, 1, 1.5])('a load of %d a second, which one replica bears, adds none', async (perSecond) => {
    expect(await course({ ...slow, perSecond }, 1)).toEqual([1]);
  });

  // One replica bears 16 / 6, so 2.7 a second, and fewer where requests come at random.
  test.each([
    [2, 2],
    [2.5, 4],
    [4, 4],
    [6, 4],
    [8, 8],
  ])(
    'a load of %d a second comes to rest at %d replicas, and not at all that there may be',
    async (perSecond, rest) => {
      const seen = await course({ ...slow, perSecond }, 1);
      expect(seen.at(-1)).toBe(rest);
      expect(Math.max(...seen)).toBe(rest);
    },
  );

  test('after the load the replicas go, but for one for each request', async () => {
    expect((await course({ ...slow, perSecond: 0.1 }, 12)).at(-1)).toBeLessThanOrEqual(5);
  });
});

test('after the load the replicas go where the first token comes in time', async () => {
  expect((await course({ ...slow, firstToken: 0.2 }, 12)).at(-1)).toBe(1);
});
