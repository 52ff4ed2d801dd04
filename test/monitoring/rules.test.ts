import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { stringify } from 'yaml';
import { ruleFile } from '../../stacks/operator/monitoring/alerts/rules.ts';
import { run } from '../support/run.ts';
import { ALERT_CASES } from './support/alert-cases.ts';
import type { InputSeries } from './support/alert-cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rules = ruleFile('trunnion-operator');
const alerts = rules.groups.flatMap((group) => group.rules);

/** Writes a file for promtool. */
function file(name: string, content: object): string {
  const path = join(folder, name);
  writeFileSync(path, stringify(content));
  return path;
}

const promtool = (...args: readonly string[]) => run(inject('prometheus').promtool, args);

it('the rules are valid, with expressions and templates that can be read', async () => {
  const { code, stdout, stderr } = await promtool('check', 'rules', '--lint=all', file('all.yaml', rules));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`${alerts.length} rules found`);
});

it('every alert has a case, and every case an alert', () => {
  expect(Object.keys(ALERT_CASES)).toEqual(alerts.map(({ alert }) => alert));
});

describe.each(alerts)('the alert $alert', ({ alert, labels, annotations, ...rule }) => {
  const {
    fires,
    at,
    summary,
    quiet,
    labels: named,
  } = ALERT_CASES[alert] ?? { fires: [], quiet: [], at: '', labels: {} };
  // A case says its line and no more: the rest is words.
  const reported = { ...rule, alert, labels, annotations: { summary: annotations.summary } };

  /** What promtool says where an alert is not as it should be. */
  async function complaints(input: readonly InputSeries[], expected: readonly object[]): Promise<string> {
    const test = {
      rule_files: [file(`${alert}.rules.yaml`, { groups: [{ name: 'test', rules: [reported] }] })],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: input.map(([series, values]) => ({ series, values })),
          alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: expected }],
        },
      ],
    };
    const { code, stdout, stderr } = await promtool('test', 'rules', file(`${alert}.yaml`, test));
    return code === 0 ? '' : stdout + stderr;
  }

  it('fires, and says for what', async () => {
    const expected = { exp_labels: { ...named, ...labels }, exp_annotations: { summary } };
    expect(await complaints(fires, [expected])).toBe('');
  });

  it('does not fire for what is much like it', async () => {
    expect(await complaints(quiet, [])).toBe('');
  });
});
