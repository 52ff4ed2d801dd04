import type * as z from 'zod';
import { withAtomicDefaults } from '../../../constructs/atomic-defaults.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { printYaml } from '../../../yaml/print.ts';
import { entriesOf } from './merge.ts';
import { switches, symbol, symbolicSettings } from './symbols.ts';
import type { Switch } from './symbols.ts';
import { templateOf } from './template.ts';
import { type Value, valuesOf, valuesSchema, valuesYaml } from './values.ts';

/** A file, by its path in the folder of all that is written. */
export interface BuiltFile {
  readonly path: string;
  readonly text: string;
}

/** Objects that are rendered from settings. */
export interface ChartPart<Settings> {
  /** @param namespace - the one that the chart is installed in */
  readonly render: (settings: Settings, namespace: string) => readonly Manifest[];
  /** The settings that these objects follow from; trying others would take long. */
  readonly of: readonly string[];
}

/** What a Helm chart is made from. */
export interface ChartSource<Settings> {
  /** Chart.yaml. */
  readonly metadata: object;
  readonly settings: z.ZodType<Settings>;
  /** What writes the chart: a command line. */
  readonly command: string;
  readonly readme: string;
  /** What Helm says when it is done. */
  readonly notes: string;
  readonly parts: readonly ChartPart<Settings>[];
}

/** A Helm chart: the same objects that are rendered elsewhere, for all values at once. */
export function chartOf<Settings>(source: ChartSource<Settings>): readonly BuiltFile[] {
  const { metadata, settings, command, readme, notes, parts } = source;
  const values = valuesOf(settings);
  return [
    { path: 'Chart.yaml', text: printYaml(metadata) },
    { path: 'values.yaml', text: valuesYaml(settings, command) },
    { path: 'values.schema.json', text: `${JSON.stringify(valuesSchema(settings), undefined, 2)}\n` },
    { path: 'README.md', text: readme },
    { path: 'templates/NOTES.txt', text: notes },
    ...parts.flatMap((part) => templates(part, values)),
  ];
}

/** One file an object. */
function templates<Settings>({ render, of }: ChartPart<Settings>, values: readonly Value[]): readonly BuiltFile[] {
  const namespace = symbol('.Release.Namespace');
  const byFile = (off: readonly Switch[]) => {
    const objects = render(symbolicSettings(values, off) as Settings, namespace);
    return Object.fromEntries(objects.map((object) => [fileOf(object), withAtomicDefaults(object)]));
  };
  const tried = switches(values).filter(({ path: [first = ''] }) => of.includes(first));
  return entriesOf(byFile, tried).map(({ key, value, when }) => ({
    path: `templates/${key}`,
    text: templateOf(value, when),
  }));
}

const fileOf = ({ kind, metadata: { name } }: Manifest): string =>
  kind === 'CustomResourceDefinition' ? `crds/${name}.yaml` : `${name}.${kind.toLowerCase()}.yaml`;
