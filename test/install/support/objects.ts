import { App, Chart } from 'cdk8s';
import { parseManifests } from '../../../cli/manifests.ts';
import { packageVersion } from '../../../cli/package.ts';
import type { Manifest } from '../../../constructs/workload.ts';
import { Operator } from '../../../stacks/operator/operator.ts';
import type { SettingsInput } from '../../../stacks/operator/settings.ts';

export const NAMESPACE = 'trunnion-system';

/** What the construct renders. */
export const rendered = (settings: SettingsInput, namespace = NAMESPACE): readonly Manifest[] =>
  new Operator(new Chart(new App(), 'chart'), 'operator', { namespace, version: packageVersion(), settings }).render();

/** Objects by what they are, with nothing in them that is empty, to be compared. */
export const byTitle = (objects: readonly Manifest[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    objects.map((object) => [`${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`, object]),
  );

/** The same of YAML. */
export const byTitleIn = (yaml: string): Readonly<Record<string, unknown>> => byTitle(parseManifests(yaml, 'output'));
