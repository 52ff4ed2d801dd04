import { App, Chart } from 'cdk8s';
import type { Manifest } from '../../constructs/workload.ts';
import { printYaml } from '../../yaml/print.ts';
import type { BuiltFile } from './chart/chart.ts';
import { chartFiles, type Release } from './chart/trunnion.ts';
import { gitopsFiles } from './gitops/files.ts';
import { monitoringFiles } from './monitoring/files.ts';
import { Operator } from './operator.ts';
import type { SettingsInput } from './settings.ts';

/** Where the operator lives in what can't be told another place. */
const NAMESPACE = 'trunnion-system';

/**
 * All by which the operator is installed: plain YAML, the chart, and bases for kustomize; what watches it; and its
 * health checks for the tools of GitOps.
 *
 * @param samples - resources to try, by the names of their files
 */
export const installFiles = (release: Release, samples: Readonly<Record<string, string>>): readonly BuiltFile[] => [
  ...plainFiles(release),
  ...chartFiles(release),
  ...kustomizeFiles(release),
  ...base('samples', samples),
  ...monitoringFiles(NAMESPACE),
  ...gitopsFiles(),
];

/** All of it, what defines the kinds, and what may be deleted without losing a workload. */
function plainFiles({ version }: Release): readonly BuiltFile[] {
  const all = render(version);
  return [
    { path: 'install.yaml', text: yaml(all) },
    { path: 'crds.yaml', text: yaml(all.filter(({ kind }) => isCrd(kind))) },
    { path: 'operator.yaml', text: yaml(all.filter((object) => !carriesOthers(object))) },
  ];
}

/** What takes with it, when it is deleted, what others have made. */
const carriesOthers = ({ kind }: Manifest): boolean => isCrd(kind) || kind === 'Namespace';

const isCrd = (kind: string): boolean => kind === 'CustomResourceDefinition';

function kustomizeFiles({ version }: Release): readonly BuiltFile[] {
  const definitions = render(version).filter(({ kind }) => isCrd(kind));
  const rest = (settings: SettingsInput) => yaml(render(version, settings).filter(({ kind }) => !isCrd(kind)));
  return [
    ...base('crds', Object.fromEntries(definitions.map((crd) => [`${crd.metadata.name}.yaml`, yaml([crd])]))),
    ...base('cluster', { 'operator.yaml': rest({}) }, ['../crds']),
    // It works in the namespace that it is put into.
    ...base('namespaced', { 'operator.yaml': rest({ watchNamespace: NAMESPACE }) }, ['../crds']),
  ];
}

function base(
  name: string,
  files: Readonly<Record<string, string>>,
  others: readonly string[] = [],
): readonly BuiltFile[] {
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [...others, ...Object.keys(files)],
  };
  return Object.entries({ 'kustomization.yaml': printYaml(kustomization), ...files }).map(([file, text]) => ({
    path: `kustomize/${name}/${file}`,
    text,
  }));
}

const render = (version: string, settings: SettingsInput = {}): readonly Manifest[] =>
  new Operator(new Chart(new App(), 'trunnion'), 'operator', {
    namespace: NAMESPACE,
    version,
    settings: { ...settings, crds: { keep: false } },
  }).render();

const yaml = (objects: readonly Manifest[]): string => objects.map(printYaml).join('---\n');
