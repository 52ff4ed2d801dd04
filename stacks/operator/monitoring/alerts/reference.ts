import { capitalized } from '../../../../constructs/parts/values/index.ts';
import { code } from '../../../../constructs/schema/markdown.ts';
import { OPERATOR_NAME } from '../../../../operator/name.ts';
import type { Alert } from './alert.ts';
import { alertGroups } from './index.ts';

/** The runbooks, as Markdown: what each alert means, and what to do. */
export const alertsReference = (): string =>
  [
    '# Alerts',
    'What each alert means, and what to do when it fires. This page is generated from the rules in `stacks/operator/monitoring`; how they are installed is on the page [Observability](concepts/observability.md).',
    ...alertGroups(OPERATOR_NAME).flatMap(({ title, alerts }) => [`## ${title}`, ...alerts.flatMap(runbook)]),
  ]
    .join('\n\n')
    .concat('\n');

const runbook = (alert: Alert): readonly string[] => [
  `### ${alert.name}`,
  `${capitalized(alert.severity)}. ${inWords(alert.description)}`,
  ['```promql', alert.expr, '```'].join('\n'),
  alert.for === undefined ? 'It fires at once.' : `It fires when this has held for ${alert.for}.`,
  alert.steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
];

/** Without the series that an alert fires for: `{{ $labels.kind }}` is "KIND", a value "N". */
const inWords = (text: string): string =>
  text
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => code(label.toUpperCase()))
    .replaceAll(/\{\{ \$value[^}]*\}\}/g, code('N'));
