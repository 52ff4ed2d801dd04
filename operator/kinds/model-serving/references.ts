import { shortHash } from '../../../constructs/parts/weights/key.ts';
import type { ModelServingSpec, ModelServingStatus } from '../../../constructs/model-serving/spec.ts';
import type { Ask, Fact } from '../../engine/kind.ts';
import type { Finding } from '../shared/finding.ts';
import { weightsMode } from './view.ts';
import type { View } from './view.ts';

type Known = NonNullable<ModelServingStatus['references']>;

/** How often a Secret is looked at: RBAC knows no watch of metadata alone. */
const LOOK_SECONDS = 60;

/** A Secret that a spec names, or some keys of it. */
interface Reference {
  readonly name: string;
  /** The keys that are read; absent where that is whatever the Secret has. */
  readonly keys?: readonly string[];
  /** The keys without which no server starts. */
  readonly required: readonly string[];
  /** Whether the server's pods read it when they start, so that a change must restart them. */
  readonly rolls: boolean;
}

/**
 * Asks for every Secret that matters.
 *
 * @param template - the spec that the pods are made from
 */
export function referenceAsks(view: View, template: ModelServingSpec): readonly Ask[] {
  const pulls = (view.spec.imagePullSecrets ?? []).map(whole);
  const references = [...referencesIn(view.spec), ...referencesIn(template), ...pulls];
  const asks = references.map((reference): Ask => {
    const { name, keys } = reference;
    return { id: askId(reference), type: 'secret', name, ...(keys && { keys }), everySeconds: LOOK_SECONDS };
  });
  return [...new Map(asks.map((ask) => [ask.id, ask])).values()];
}

/**
 * What is known of the Secrets' content, for the status. The baseline is the content at first sight, which the pods
 * started with: it puts nothing on the pod template, so that adoption restarts no pod.
 */
export function referencesOf(view: View, template: ModelServingSpec): Known | undefined {
  const references = [...referencesIn(view.spec), ...referencesIn(template)];
  const known = references.flatMap((reference) => {
    const entry = observe(view.status.references?.[idOf(reference)], factOf(view, reference));
    return entry ? [[idOf(reference), entry] as const] : [];
  });
  if (known.length === 0) return undefined;
  return Object.fromEntries(known.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))));
}

/**
 * The hash for the pod template: of those Secrets alone whose content is not the baseline. A Secret that is newly
 * referred to changes nothing here, and a content that is changed back gives the template that was there before.
 *
 * It comes from the acknowledged status: an operator that starts anew and has not looked yet must not roll back.
 */
export function referencesHash({ status }: View, template: ModelServingSpec): string | undefined {
  const changed = referencesIn(template).flatMap((reference) => {
    const current = status.references?.[idOf(reference)]?.current;
    return reference.rolls && current !== undefined ? [`${idOf(reference)}=${current}`] : [];
  });
  return changed.length > 0 ? shortHash(changed.toSorted().join('\n')) : undefined;
}

/** Whether the credentials of the fetch are other ones than when last looked. */
export function credentialsChanged(view: View): boolean {
  return credentialsOf(view.spec).some((reference) => {
    const fact = factOf(view, reference);
    const known = view.status.references?.[idOf(reference)];
    return fact?.exists === true && fact.hash !== (known?.current ?? known?.baseline);
  });
}

/** That the Secret of the fetch is not there. */
export function missingCredentials(view: View): Finding | undefined {
  const absent = credentialsOf(view.spec).find((reference) => factOf(view, reference)?.exists === false);
  return absent && finding(`There is no Secret ${absent.name}`, 'model.credentials');
}

/** The Secrets or keys without which no server starts, and that are not there. */
export const missingReferences = (view: View, template: ModelServingSpec): readonly Finding[] =>
  referencesIn(template).flatMap((reference) => {
    const fact = factOf(view, reference);
    if (!fact || reference.required.length === 0) return [];
    if (!fact.exists) return finding(`There is no Secret ${reference.name}`, 'env');
    const keys = reference.required.filter((key) => fact.missingKeys.includes(key));
    return keys.length > 0 ? finding(`Secret ${reference.name} has no key ${keys.join(', ')}`, 'env') : [];
  });

/** The Secrets to pull images with that are not there: no harm where the image is public. */
export const missingPullSecrets = (view: View): readonly string[] =>
  (view.spec.imagePullSecrets ?? [])
    .filter((secret) => factOf(view, whole(secret))?.exists === false)
    .map(({ name }) => name);

/** The Secrets that a spec's pods read, each once. */
const referencesIn = (spec: ModelServingSpec): readonly Reference[] => [...credentialsOf(spec), ...variablesOf(spec)];

/** The Secret of the fetch, where there is a fetch. */
function credentialsOf(spec: ModelServingSpec): readonly Reference[] {
  const mode = weightsMode(spec);
  const { credentials } = spec.model;
  if (!credentials || (mode !== 'server' && mode !== 'job')) return [];
  return [{ ...whole({ name: credentials.secretName }), rolls: mode === 'server' }];
}

function variablesOf(spec: ModelServingSpec): readonly Reference[] {
  const refs = [...(spec.env ?? []), ...(spec.engine.env ?? [])].flatMap(
    ({ valueFrom }) => valueFrom?.secretKeyRef ?? [],
  );
  return [...Map.groupBy(refs, ({ name }) => name)].map(([name, ofOne]) => ({
    name,
    keys: distinct(ofOne),
    required: distinct(ofOne.filter(({ optional }) => optional !== true)),
    rolls: true,
  }));
}

const whole = ({ name }: { readonly name: string }): Reference => ({ name, required: [], rolls: false });

const distinct = (refs: readonly { readonly key: string }[]): readonly string[] =>
  [...new Set(refs.map(({ key }) => key))].toSorted();

function observe(known: Known[string] | undefined, fact: SecretFact | undefined): Known[string] | undefined {
  if (!fact?.exists) return known;
  if (!known || known.baseline === fact.hash) return { baseline: fact.hash };
  return { baseline: known.baseline, current: fact.hash };
}

const finding = (what: string, field: string): Finding => ({
  reason: 'ReferenceMissing',
  message: `${what}, which ${field} refers to. Create it; all goes on by itself within a minute.`,
  stuck: true,
});

type SecretFact = Extract<Fact, { type: 'secret' }>;

function factOf({ snapshot }: View, reference: Reference): SecretFact | undefined {
  const fact = snapshot.facts[askId(reference)];
  return fact?.type === 'secret' ? fact : undefined;
}

/** Other keys are another content, with a baseline of its own. */
const idOf = ({ name, keys }: Reference): string => (keys ? `${name}/${keys.join(',')}` : name);

const askId = (reference: Reference): string => `secret/${idOf(reference)}`;
