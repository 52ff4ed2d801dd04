import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import type { Query } from '../../engine/api/index.ts';
import { carriedOver } from '../shared/carried-over.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import {
  queriesFor,
  changeHash,
  haveChanged,
  isAbsent,
  learn,
  missing,
  missingReference,
  referencesOfTemplate,
  referencesOfVariables,
  whole,
} from '../shared/references.ts';
import type { KnownReferences, Reference } from '../shared/references.ts';
import type { Context, Part } from './context.ts';
import { weightsMode } from './observed.ts';
import type { Observed } from './observed.ts';
import { extensionQueries } from './trouble.ts';

/** How soon a status that has been written is acted on: see {@link referencesHash}. */
const ACKNOWLEDGED_MS = 1000;

/** All that the spec refers to is looked up, and what the cluster must have for it. */
export function resolveReferences({ now, observed, template, drain }: Context): Part {
  const hash = referencesHash(observed, template);
  const state = { ...(hash !== undefined && { referencesHash: hash }) };
  if (drain.lifecycle === 'retired') return { state };
  const references = referencesOf(observed, template);
  const isRecorded = JSON.stringify(references) === JSON.stringify(observed.status.references);
  return {
    state,
    status: { ...(references && { references }) },
    queries: [...referenceQueries(observed, template), ...extensionQueries(observed)],
    ...(!isRecorded && { requeueAt: now + ACKNOWLEDGED_MS }),
  };
}

/**
 * Asks for every Secret and ConfigMap that matters.
 *
 * @param template - the spec that the pods are made from
 */
const referenceQueries = ({ spec }: Observed, template: ModelServingSpec): readonly Query[] =>
  queriesFor([...referencesIn(spec), ...referencesIn(template), ...(spec.imagePullSecrets ?? []).map(whole)]);

/** What is known of their content, for the status. */
const referencesOf = ({ spec, status, snapshot }: Observed, template: ModelServingSpec): KnownReferences | undefined =>
  learn([...referencesIn(spec), ...referencesIn(template)], status.references, snapshot.answers);

/** The hash for the pod template. */
const referencesHash = ({ status }: Observed, template: ModelServingSpec): string | undefined =>
  changeHash(referencesIn(template), status.references);

/** Whether the credentials of the fetch are other ones than when last looked. */
export const credentialsChanged = ({ spec, status, snapshot }: Observed): boolean =>
  haveChanged(credentialsOf(spec), status.references, snapshot.answers);

/** Asks for the Secret of the fetch. */
export const credentialQueries = ({ spec }: Observed): readonly Query[] => queriesFor(credentialsOf(spec));

/** That the Secret of the fetch is not there. */
export function missingCredentials({ spec, snapshot }: Observed): Diagnosis | undefined {
  const absent = credentialsOf(spec).find((reference) => isAbsent(reference, snapshot.answers));
  return absent && missingReference(`There is no Secret ${absent.name}`, 'model.credentials');
}

/** Those, or the keys, without which no server starts, and that are not there. */
export const missingReferences = ({ snapshot }: Observed, template: ModelServingSpec): readonly Diagnosis[] =>
  Object.entries(byField(template)).flatMap(([field, references]) => missing(references, snapshot.answers, field));

/** The Secrets to pull images with that are not there: no harm where the image is public. */
export const missingPullSecrets = ({ spec, snapshot }: Observed): readonly string[] =>
  (spec.imagePullSecrets ?? []).filter((secret) => isAbsent(whole(secret), snapshot.answers)).map(({ name }) => name);

/** What a condition said before, where it is too soon to take it back. */
export function earlierDiagnoses(observed: Observed, template: ModelServingSpec, type: string): readonly Diagnosis[] {
  const queries = [...referenceQueries(observed, template), ...extensionQueries(observed)];
  const earlier = carriedOver(observed.snapshot, type, queries);
  return earlier ? [earlier] : [];
}

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
