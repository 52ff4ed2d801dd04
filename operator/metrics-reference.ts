import { TRUNNION } from './trunnion.ts';
import { code, table } from '../constructs/schema/markdown.ts';
import { familiesOf, figuresOf } from './engine/api/index.ts';
import { Metrics } from './engine/telemetry/index.ts';
import type { MetricDefinition } from './engine/telemetry/index.ts';
import type { Kind } from './engine/api/index.ts';

/** A metric of resources, with the kinds that have it. */
interface ResourceMetric extends MetricDefinition {
  readonly kinds: readonly string[];
}

/** All metrics of an operator of these kinds but those of its process, as Markdown. */
export function metricsReference(kinds: readonly Kind[]): string {
  return [
    '# Metrics',
    "What the operator tells at `/metrics`, port 8080, in Prometheus' text format. This page is generated from what it registers. How to scrape it: [Observability](../concepts/observability.md).",
    '## Resources',
    'Read from the status of each resource at each scrape, and gone with it. Only the operator that leads tells these. All of them are gauges with the labels `kind`, `namespace` and `name`.',
    table(
      ['metric', 'more labels', 'kinds', 'what it says'],
      resourceMetrics(kinds).map(({ name, labels, help, kinds: having }) => [
        code(name),
        labels.map(code).join(', '),
        having.length === kinds.length ? 'all' : having.join(', '),
        help,
      ]),
    ),
    '## Operator',
    'Named as controller-runtime names them, where it has them; `controller` is a kind. A counter begins at 0 when the operator starts.',
    table(
      ['metric', 'type', 'labels', 'what it says'],
      operatorMetrics(kinds).map(({ name, type, labels, help }) => [
        code(name),
        type,
        labels.map(code).join(', '),
        help,
      ]),
    ),
    '## Process',
    '`process_*` and `nodejs_*` are those of [prom-client](https://github.com/siimon/prom-client#default-metrics): processor time, memory, open files, how late the event loop is, garbage collection.',
    '## Phases',
    ...kinds.flatMap((kind) => [
      `### ${kind.type.kind}`,
      table(
        ['phase', 'what it means'],
        Object.entries(figuresOf(kind).phases).map(([phase, meaning]) => [code(phase), meaning]),
      ),
    ]),
  ]
    .join('\n\n')
    .concat('\n');
}

function operatorMetrics(kinds: readonly Kind[]): readonly MetricDefinition[] {
  const metrics = new Metrics(TRUNNION.metricPrefix);
  for (const kind of kinds) metrics.controller(kind.type.kind, figuresOf(kind));
  return metrics.definitions;
}

/** The names of all metrics of an operator of these kinds but those of its process. */
export const metricNames = (kinds: readonly Kind[]): readonly string[] =>
  [...operatorMetrics(kinds), ...resourceMetrics(kinds)].map(({ name }) => name);

/** By name, in the order in which kinds tell them. */
function resourceMetrics(kinds: readonly Kind[]): readonly ResourceMetric[] {
  const all = kinds.flatMap((kind) =>
    familiesOf(figuresOf(kind), TRUNNION.metricPrefix).map((family) => ({ family, kind: kind.type.kind })),
  );
  const names = [...new Set(all.map(({ family }) => family.name))];
  return names.flatMap((name) => {
    const having = all.filter(({ family }) => family.name === name);
    return having.slice(0, 1).map(({ family: { help, labels } }) => ({
      name,
      type: 'gauge' as const,
      help,
      labels: Object.keys(labels),
      kinds: having.map(({ kind }) => kind),
    }));
  });
}
