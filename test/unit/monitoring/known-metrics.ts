import { collectDefaultMetrics, Registry } from 'prom-client';
import { kinds } from '../../../compat/kinds/index.ts';
import { metricNames } from '../../../operator/metrics-reference.ts';
import { ENGINE_METRICS } from '../../../stacks/operator/monitoring/engines.ts';

function processMetrics(): readonly string[] {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry.getMetricsAsArray().map(({ name }) => name);
}

const KNOWN: ReadonlySet<string> = new Set([
  ...metricNames(kinds),
  ...processMetrics(),
  ...Object.values(ENGINE_METRICS).flat(),
]);

/** Words of PromQL that are no names of metrics: what stands in quotes, braces behind a name, ranges, functions, labels. */
const NO_NAMES = [
  /"[^"]*"/g,
  /\[[^\]]*\]/g,
  /\b(?:by|on|without|ignoring) \([^)]*\)/g,
  /\b\w+(?=\s*\()/g,
  /\b(?:unless|and|or|on)\b/g,
  /\{[^}]*\}/g,
];

/** The names in an expression that no metric has. */
export function unknownMetrics(expr: string): readonly string[] {
  const anonymous = [...expr.matchAll(/__name__=~"\((.*?)\)(?:_bucket)?"/g)].flatMap(([, names = '']) =>
    names.split('|'),
  );
  const plain = NO_NAMES.reduce((text, words) => text.replaceAll(words, ' '), expr);
  const named = plain.match(/[a-z_][\w:]*/gi) ?? [];
  return [...anonymous, ...named].filter((name) => !KNOWN.has(name) && !KNOWN.has(name.replace(/_bucket$/, '')));
}
