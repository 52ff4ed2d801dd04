import { shortHash } from '../../../constructs/parts/weights/index.ts';
import { own } from '../../../constructs/schema/json.ts';
import type { Query, Answer, Snapshot } from '../../engine/api/index.ts';
import type { Diagnosis } from './diagnosis-text.ts';

/** How often a Secret or ConfigMap is looked at: RBAC knows no watch of metadata alone. */
const RECHECK_SECONDS = 60;

/** A Secret or ConfigMap that a spec names, or some keys of it. */
export interface Reference {
  /** @default 'secret' */
  readonly type?: 'configMap';
  readonly name: string;
  /** The keys that are read; absent where that is whatever it has. */
  readonly keys?: readonly string[];
  /** The keys without which no pod starts. */
  readonly required: readonly string[];
  /** Whether pods read it when they start, so that a change must restart them. */
  readonly rolls: boolean;
}

/** What is known of the content of Secrets and ConfigMaps: `status.references` of every kind. */
export type KnownReferences = Readonly<Record<string, { readonly baseline: string; readonly current?: string }>>;

type Resolver = Snapshot['answers'];

/** A Secret of which no key is read by name. */
export const whole = ({ name }: { readonly name: string }): Reference => ({ name, required: [], rolls: false });

interface Key {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

/** The Secrets whose keys are variables of pods, each once. */
export const variablesFrom = (keys: readonly Key[]): readonly Reference[] =>
  [...Map.groupBy(keys, ({ name }) => name)].map(([name, ofOne]) => ({
    name,
    keys: distinct(ofOne),
    required: distinct(ofOne.filter(({ optional }) => optional !== true)),
    rolls: true,
  }));

/** Variables of pods, as far as they come from elsewhere. */
type Variables = readonly {
  readonly valueFrom?: { readonly secretKeyRef?: Key; readonly configMapKeyRef?: Key };
}[];

/** The Secrets and ConfigMaps whose keys are values of variables, each once. */
export const referencesOfVariables = (env: Variables = []): readonly Reference[] => [
  ...variablesFrom(env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])),
  ...ofConfigMaps(variablesFrom(env.flatMap(({ valueFrom }) => valueFrom?.configMapKeyRef ?? []))),
];

/** Containers, as far as they have variables from elsewhere. */
type Containers = readonly {
  readonly env?: Variables;
  readonly envFrom?: readonly {
    readonly secretRef?: { readonly name: string };
    readonly configMapRef?: { readonly name: string };
  }[];
}[];

/**
 * The Secrets and ConfigMaps that a pod template makes variables of. Those that it mounts are not among them: a program
 * sees their files change.
 */
export function referencesOfTemplate(
  template: { readonly spec?: { readonly containers?: Containers; readonly initContainers?: Containers } } = {},
): readonly Reference[] {
  const containers = [...(template.spec?.containers ?? []), ...(template.spec?.initContainers ?? [])];
  const sources = containers.flatMap(({ envFrom }) => envFrom ?? []);
  const read = (ref: { readonly name: string }): Reference => ({ ...whole(ref), rolls: true });
  return [
    ...referencesOfVariables(containers.flatMap(({ env }) => env ?? [])),
    ...sources.flatMap(({ secretRef }) => (secretRef ? [read(secretRef)] : [])),
    ...ofConfigMaps(sources.flatMap(({ configMapRef }) => (configMapRef ? [read(configMapRef)] : []))),
  ];
}

const ofConfigMaps = (references: readonly Reference[]): readonly Reference[] =>
  references.map((reference) => ({ ...reference, type: 'configMap' }));

/** Asks for each of them, once. */
export const queriesFor = (references: readonly Reference[]): readonly Query[] => {
  const queries = references.map((reference): Query => {
    const { type = 'secret', name, keys } = reference;
    return { id: queryId(reference), type, name, ...(keys && { keys }), everySeconds: RECHECK_SECONDS };
  });
  return [...new Map(queries.map((query) => [query.id, query])).values()];
};

/**
 * What is known of their content, for the status. The baseline is the content at first sight, which the pods
 * started with: it puts nothing on the pod template, so that adoption restarts no pod.
 */
export function learn(
  references: readonly Reference[],
  known: KnownReferences = {},
  answers: Resolver,
): KnownReferences | undefined {
  const learnt = references.flatMap((reference) => {
    const entry = observe(own(known, idOf(reference)), answerOf(answers, reference));
    return entry ? [[idOf(reference), entry] as const] : [];
  });
  if (learnt.length === 0) return undefined;
  return Object.fromEntries(learnt.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))));
}

/**
 * The hash for the pod template: of those alone whose content is not the baseline. What is newly referred to changes
 * nothing here, and a content that is changed back gives the template that was there before.
 *
 * @param known - of the acknowledged status: an operator that starts again and has not looked yet must not roll back
 */
export function changeHash(references: readonly Reference[], known: KnownReferences = {}): string | undefined {
  const changed = references.flatMap((reference) => {
    const current = own(known, idOf(reference))?.current;
    return reference.rolls && current !== undefined ? [`${idOf(reference)}=${current}`] : [];
  });
  return changed.length > 0 ? shortHash(changed.toSorted().join('\n')) : undefined;
}

/** Whether any is another than when last looked. */
export const haveChanged = (
  references: readonly Reference[],
  known: KnownReferences = {},
  answers: Resolver,
): boolean =>
  references.some((reference) => {
    const answer = answerOf(answers, reference);
    const last = own(known, idOf(reference));
    return answer?.exists === true && answer.hash !== (last?.current ?? last?.baseline);
  });

/** Whether it is known not to be there. */
export const isAbsent = (reference: Reference, answers: Resolver): boolean =>
  answerOf(answers, reference)?.exists === false;

/** Those, or the keys, without which no pod starts, and that are not there. */
export const missing = (references: readonly Reference[], answers: Resolver, field: string): readonly Diagnosis[] =>
  references.flatMap((reference) => {
    const answer = answerOf(answers, reference);
    if (!answer || reference.required.length === 0) return [];
    const what = `${reference.type === 'configMap' ? 'ConfigMap' : 'Secret'} ${reference.name}`;
    if (!answer.exists) return missingReference(`There is no ${what}`, field);
    const keys = reference.required.filter((key) => answer.missingKeys.includes(key));
    return keys.length > 0 ? missingReference(`${what} has no key ${keys.join(', ')}`, field) : [];
  });

export const missingReference = (what: string, field: string): Diagnosis => ({
  reason: 'ReferenceMissing',
  message: `${what}, which ${field} refers to. Create it; all continues by itself within a minute.`,
  stuck: true,
});

function observe(known: KnownReferences[string] | undefined, answer: ContentAnswer | undefined) {
  if (!answer?.exists) return known;
  if (!known || known.baseline === answer.hash) return { baseline: answer.hash };
  return { baseline: known.baseline, current: answer.hash };
}

type ContentAnswer = Extract<Answer, { type: 'secret' | 'configMap' }>;

function answerOf(answers: Resolver, reference: Reference): ContentAnswer | undefined {
  const answer = answers[queryId(reference)];
  return answer?.type === 'secret' || answer?.type === 'configMap' ? answer : undefined;
}

/** Other keys are another content, with a baseline of its own. A name has no colon. */
const idOf = (reference: Reference): string =>
  reference.type === undefined ? contentOf(reference) : `${reference.type}:${contentOf(reference)}`;

const queryId = (reference: Reference): string => `${reference.type ?? 'secret'}/${contentOf(reference)}`;

const contentOf = ({ name, keys }: Reference): string => (keys ? `${name}/${keys.join(',')}` : name);

const distinct = (refs: readonly { readonly key: string }[]): readonly string[] =>
  [...new Set(refs.map(({ key }) => key))].toSorted();
