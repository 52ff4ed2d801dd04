import type { Installation } from '../installation.ts';
import { definitions, operator, rights, rightsOfUsers, watchers } from '../objects.ts';
import { type Settings, settingsSchema } from '../settings.ts';
import { type BuiltFile, chartOf, type ChartPart } from './chart.ts';
import { notes, readme } from './texts.ts';

/** Which package a chart installs. */
export interface Release {
  readonly version: string;
  readonly description: string;
}

/** The Helm chart of our own operator. */
export const chartFiles = (release: Release): readonly BuiltFile[] =>
  chartOf<Settings>({
    metadata: metadata(release),
    settings: settingsSchema,
    command: 'npm run build',
    readme: readme(release),
    notes,
    parts: partsOf(release),
  }).map(({ path, text }) => ({ path: `charts/trunnion/${path}`, text }));

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

function partsOf({ version }: Release): readonly ChartPart<Settings>[] {
  const part = (
    render: (installation: Installation) => ReturnType<ChartPart<Settings>['render']>,
    of: readonly string[],
  ): ChartPart<Settings> => ({
    render: (settings, namespace) => render({ settings, namespace, version }),
    of,
  });
  return [
    part(definitions, ['crds', 'compat']),
    part(
      (installation) => [...rights(installation), ...rightsOfUsers(installation), ...operator(installation)],
      SETTINGS.filter((setting) => setting !== 'crds' && setting !== 'monitoring'),
    ),
    part(watchers, ['monitoring']),
  ];
}
