import { stringify } from 'yaml';
import { withAtomicDefaults } from '../../../constructs/atomic-defaults.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { definitions, operator, rights } from '../objects.ts';
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
    { path: 'Chart.yaml', text: stringify(metadata(release)) },
    { path: 'values.yaml', text: valuesYaml() },
    { path: 'values.schema.json', text: `${JSON.stringify(valuesSchema(), undefined, 2)}\n` },
    { path: 'README.md', text: readme(release) },
    { path: 'templates/NOTES.txt', text: notes },
    ...templates((off) => definitions(symbolicSettings(off)), DEFINITION_SWITCHES),
    ...templates((off) => {
      const installation = {
        namespace: symbol('.Release.Namespace'),
        version: release.version,
        settings: symbolicSettings(off),
      };
      return [...rights(installation), ...operator(installation)];
    }, OPERATOR_SWITCHES),
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

const isOfDefinitions = ({ path: [first = ''] }: Switch) => first === 'crds' || first === 'existing';

/** CRDs are large, so they aren't rendered for switches that they don't know. */
const DEFINITION_SWITCHES = switches().filter(isOfDefinitions);
const OPERATOR_SWITCHES = switches().filter(({ path: [first] }) => first !== 'crds');

/** One file an object. */
function templates(
  render: (off: readonly Switch[]) => readonly Manifest[],
  of: readonly Switch[],
): readonly { readonly path: string; readonly text: string }[] {
  const byFile = (off: readonly Switch[]) =>
    Object.fromEntries(render(off).map((object) => [fileOf(object), withAtomicDefaults(object)]));
  return entriesOf(byFile, of).map(({ key, value, when }) => ({
    path: `templates/${key}`,
    text: templateOf(value, when),
  }));
}

const fileOf = ({ kind, metadata: { name } }: Manifest): string =>
  kind === 'CustomResourceDefinition' ? `crds/${name}.yaml` : `${name}.${kind.toLowerCase()}.yaml`;
