import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import type { Ask } from '../../engine/asks.ts';
import type { Finding } from '../shared/finding.ts';
import {
  asksFor,
  changeHash,
  haveChanged,
  isAbsent,
  learn,
  missing,
  missingFinding,
  referencesOfTemplate,
  referencesOfVariables,
  whole,
} from '../shared/references.ts';
import type { KnownReferences, Reference } from '../shared/references.ts';
import { weightsMode } from './view.ts';
import type { View } from './view.ts';

/**
 * Asks for every Secret and ConfigMap that matters.
 *
 * @param template - the spec that the pods are made from
 */
export const referenceAsks = ({ spec }: View, template: ModelServingSpec): readonly Ask[] =>
  asksFor([...referencesIn(spec), ...referencesIn(template), ...(spec.imagePullSecrets ?? []).map(whole)]);

/** What is known of their content, for the status. */
export const referencesOf = (
  { spec, status, snapshot }: View,
  template: ModelServingSpec,
): KnownReferences | undefined =>
  learn([...referencesIn(spec), ...referencesIn(template)], status.references, snapshot.facts);

/** The hash for the pod template. */
export const referencesHash = ({ status }: View, template: ModelServingSpec): string | undefined =>
  changeHash(referencesIn(template), status.references);

/** Whether the credentials of the fetch are other ones than when last looked. */
export const credentialsChanged = ({ spec, status, snapshot }: View): boolean =>
  haveChanged(credentialsOf(spec), status.references, snapshot.facts);

/** Asks for the Secret of the fetch. */
export const credentialAsks = ({ spec }: View): readonly Ask[] => asksFor(credentialsOf(spec));

/** That the Secret of the fetch is not there. */
export function missingCredentials({ spec, snapshot }: View): Finding | undefined {
  const absent = credentialsOf(spec).find((reference) => isAbsent(reference, snapshot.facts));
  return absent && missingFinding(`There is no Secret ${absent.name}`, 'model.credentials');
}

/** Those, or the keys, without which no server starts, and that are not there. */
export const missingReferences = ({ snapshot }: View, template: ModelServingSpec): readonly Finding[] =>
  Object.entries(byField(template)).flatMap(([field, references]) => missing(references, snapshot.facts, field));

/** The Secrets to pull images with that are not there: no harm where the image is public. */
export const missingPullSecrets = ({ spec, snapshot }: View): readonly string[] =>
  (spec.imagePullSecrets ?? []).filter((secret) => isAbsent(whole(secret), snapshot.facts)).map(({ name }) => name);

/** What a spec's pods read, each once. */
const referencesIn = (spec: ModelServingSpec): readonly Reference[] => [
  ...credentialsOf(spec),
  ...Object.values(byField(spec)).flat(),
];

/** The variables that come from elsewhere, by the field that refers to it. */
const byField = ({ env = [], engine, podTemplate }: ModelServingSpec) =>
  ({
    env: referencesOfVariables([...env, ...(engine.env ?? [])]),
    podTemplate: referencesOfTemplate(podTemplate),
  }) satisfies Record<string, readonly Reference[]>;

/** The Secret of the fetch, where there is a fetch. */
function credentialsOf(spec: ModelServingSpec): readonly Reference[] {
  const mode = weightsMode(spec);
  const { credentials } = spec.model;
  if (!credentials || (mode !== 'server' && mode !== 'job')) return [];
  return [{ ...whole({ name: credentials.secretName }), rolls: mode === 'server' }];
}
