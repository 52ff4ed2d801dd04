import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import type { Query } from '../../engine/api/index.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import {
  queriesFor,
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
import { weightsMode } from './observed.ts';
import type { Observed } from './observed.ts';

/**
 * Asks for every Secret and ConfigMap that matters.
 *
 * @param template - the spec that the pods are made from
 */
export const referenceQueries = ({ spec }: Observed, template: ModelServingSpec): readonly Query[] =>
  queriesFor([...referencesIn(spec), ...referencesIn(template), ...(spec.imagePullSecrets ?? []).map(whole)]);

/** What is known of their content, for the status. */
export const referencesOf = (
  { spec, status, snapshot }: Observed,
  template: ModelServingSpec,
): KnownReferences | undefined =>
  learn([...referencesIn(spec), ...referencesIn(template)], status.references, snapshot.answers);

/** The hash for the pod template. */
export const referencesHash = ({ status }: Observed, template: ModelServingSpec): string | undefined =>
  changeHash(referencesIn(template), status.references);

/** Whether the credentials of the fetch are other ones than when last looked. */
export const credentialsChanged = ({ spec, status, snapshot }: Observed): boolean =>
  haveChanged(credentialsOf(spec), status.references, snapshot.answers);

/** Asks for the Secret of the fetch. */
export const credentialQueries = ({ spec }: Observed): readonly Query[] => queriesFor(credentialsOf(spec));

/** That the Secret of the fetch is not there. */
export function missingCredentials({ spec, snapshot }: Observed): Diagnosis | undefined {
  const absent = credentialsOf(spec).find((reference) => isAbsent(reference, snapshot.answers));
  return absent && missingFinding(`There is no Secret ${absent.name}`, 'model.credentials');
}

/** Those, or the keys, without which no server starts, and that are not there. */
export const missingReferences = ({ snapshot }: Observed, template: ModelServingSpec): readonly Diagnosis[] =>
  Object.entries(byField(template)).flatMap(([field, references]) => missing(references, snapshot.answers, field));

/** The Secrets to pull images with that are not there: no harm where the image is public. */
export const missingPullSecrets = ({ spec, snapshot }: Observed): readonly string[] =>
  (spec.imagePullSecrets ?? []).filter((secret) => isAbsent(whole(secret), snapshot.answers)).map(({ name }) => name);

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
