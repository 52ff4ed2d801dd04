import { printYaml } from '../../../yaml/print.ts';
import { withAtomicDefaults } from '../../../constructs/atomic-defaults.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { definitions, type Installation, operator, rights, rightsOfUsers, watchers } from '../objects.ts';
import { settingsSchema } from '../settings.ts';
import { notes, readme } from './texts.ts';
import { entriesOf } from './merge.ts';
import { switches, symbol, symbolicSettings } from './symbols.ts';
import type { Switch } from './symbols.ts';
import { templateOf } from './template.ts';
import { valuesSchema, valuesYaml } from './values.ts';

/** Which package a chart installs. */
export interface Release {
  readonly version: string;
  readonly description: string;
}

/** A file, by its path in the folder of all that is written. */
export interface BuiltFile {
  readonly path: string;
  readonly text: string;
}

/** The Helm chart: the same objects that the construct renders, for all values at once. */
export const chartFiles = (release: Release): readonly BuiltFile[] =>
  [
    { path: 'Chart.yaml', text: printYaml(metadata(release)) },
    { path: 'values.yaml', text: valuesYaml() },
    { path: 'values.schema.json', text: `${JSON.stringify(valuesSchema(), undefined, 2)}\n` },
    { path: 'README.md', text: readme(release) },
    { path: 'templates/NOTES.txt', text: notes },
    ...templates(definitions, release, ['crds', 'compat']),
    ...templates(
      (installation) => [...rights(installation), ...rightsOfUsers(installation), ...operator(installation)],
      release,
      SETTINGS.filter((setting) => setting !== 'crds' && setting !== 'monitoring'),
    ),
    ...templates(watchers, release, ['monitoring']),
  ].map(({ path, text }) => ({ path: `charts/trunnion/${path}`, text }));

const metadata = ({ version, description }: Release) => ({
  apiVersion: 'v2',
  name: 'trunnion',
  description,
  type: 'application',
  version,
  appVersion: version,
  keywords: ['ai', 'gpu', 'inference', 'operator', 'training'],
  annotations: { 'artifacthub.io/license': 'Apache-2.0', 'artifacthub.io/operator': 'true' },
});

const SETTINGS = Object.keys(settingsSchema.shape);

/**
 * One file an object.
 *
 * @param of - the settings that these objects follow from; trying others would take long
 */
function templates(
  render: (installation: Installation) => readonly Manifest[],
  { version }: Release,
  of: readonly string[],
): readonly BuiltFile[] {
  const namespace = symbol('.Release.Namespace');
  const byFile = (off: readonly Switch[]) => {
    const objects = render({ namespace, version, settings: symbolicSettings(off) });
    return Object.fromEntries(objects.map((object) => [fileOf(object), withAtomicDefaults(object)]));
  };
  const tried = switches().filter(({ path: [first = ''] }) => of.includes(first));
  return entriesOf(byFile, tried).map(({ key, value, when }) => ({
    path: `templates/${key}`,
    text: templateOf(value, when),
  }));
}

const fileOf = ({ kind, metadata: { name } }: Manifest): string =>
  kind === 'CustomResourceDefinition' ? `crds/${name}.yaml` : `${name}.${kind.toLowerCase()}.yaml`;
