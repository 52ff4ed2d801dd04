import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { alertGroups } from '../../../stacks/operator/monitoring/alerts/index.ts';
import { ruleFile } from '../../../stacks/operator/monitoring/alerts/rules.ts';
import { unknownMetrics } from './known-metrics.ts';

const alerts = alertGroups('trunnion-operator').flatMap((group) => group.alerts);
const rules = ruleFile('trunnion-operator', 'https://example.com/alerts').groups.flatMap((group) => group.rules);

describe.each(alerts)('the alert $name', ({ name, expr, summary, description, steps }) => {
  it('asks only for what there is', () => {
    expect(unknownMetrics(expr)).toEqual([]);
  });

  it('says what is the matter, what it means, and what to do', () => {
    expect(summary).toMatch(/\.$|:/);
    expect(summary).not.toBe(description);
    expect(steps.length).toBeGreaterThan(0);
  });

  it('names only labels that its series have', () => {
    const used = [...`${summary} ${description}`.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
    const kept = new Set([...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', ')));
    expect(used.filter((label) => !kept.has(label ?? ''))).toEqual([]);
  });

  it('links to its runbook', () => {
    const url = rules.find(({ alert }) => alert === name)?.annotations.runbook_url;
    expect(url).toBe(`https://example.com/alerts#${name.toLowerCase()}`);
    expect(readFileSync('docs/alerts.md', 'utf8')).toContain(`\n### ${name}\n`);
  });
});

it('alerts have names of their own', () => {
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
});
