import { SpecError, type Problem } from '../../schema/error.ts';
import { ANNOTATION_CLASSES, type AnnotationClass, type AnnotationGroup } from './group.ts';
import { CLOUD_GROUPS } from './ingress-cloud.defaults.ts';
import { CONTROLLER_GROUPS } from './ingress.defaults.ts';
import { POD_GROUPS } from './pod.defaults.ts';
import { SERVICE_ACCOUNT_GROUPS } from './service-account.defaults.ts';
import type { ValueForm } from './values.ts';

/** The default of each class of objects: each annotation changes how this very object behaves, and nothing else. */
export const DEFAULT_GROUPS: Readonly<Record<AnnotationClass, readonly AnnotationGroup[]>> = {
  ingress: [...CONTROLLER_GROUPS, ...CLOUD_GROUPS],
  serviceAccount: SERVICE_ACCOUNT_GROUPS,
  pod: POD_GROUPS,
};

/** An entry of an administrator's list that stands for the default of its class. No annotation can be called so. */
export const DEFAULT_ENTRY = '+default';

/** An entry that stands for no key at all, since a list has at least one. */
export const NO_ENTRY = '+none';

/** A key that is allowed, or with a `*` at its end all that begin as it does. */
export interface AllowedKey {
  readonly key: string;
  /**
   * What its value may be.
   *
   * @default - any text on one line
   */
  readonly form?: ValueForm;
}

/** Which annotations a user may have put on the objects of each class. */
export type AllowedAnnotations = Readonly<Record<AnnotationClass, readonly AllowedKey[]>>;

/** What an administrator says: a list of a class takes the place of its default. */
export type AllowedAnnotationsInput = { readonly [Class in AnnotationClass]?: readonly string[] };

/** A key as a list has it: `example.com/team`, `example.com/*`, `*`. */
const ENTRY = /^([A-Za-z0-9][-A-Za-z0-9_./]{0,316}[*]?|[*])$/;

/** What an entry may be; also for the settings of the operator. */
export const ENTRY_TEXT = `must be the key of an annotation, its beginning and a *, ${DEFAULT_ENTRY} or ${NO_ENTRY}`;

/** Whether a text may stand in a list. */
export const isEntry = (text: string): boolean => text === DEFAULT_ENTRY || text === NO_ENTRY || ENTRY.test(text);

/**
 * Reads an administrator's lists.
 *
 * @param input - for each class the keys, of which `+default` stands for the default ones, and `+none` for none. A class
 * without a list has its default.
 * @throws SpecError with all entries that can't be keys
 */
export function allowedAnnotations(input: AllowedAnnotationsInput = {}): AllowedAnnotations {
  const problems = ANNOTATION_CLASSES.flatMap((of): readonly Problem[] =>
    (input[of] ?? []).flatMap((entry, index) =>
      isEntry(entry) ? [] : [{ path: `allowedAnnotations.${of}[${index}]`, message: ENTRY_TEXT, got: entry }],
    ),
  );
  if (problems.length > 0) throw new SpecError('the list of allowed annotations', problems);
  const keysOf = (of: AnnotationClass) => (input[of] ?? [DEFAULT_ENTRY]).flatMap((entry) => keysFor(entry, of));
  return { ingress: keysOf('ingress'), serviceAccount: keysOf('serviceAccount'), pod: keysOf('pod') };
}

function keysFor(entry: string, of: AnnotationClass): readonly AllowedKey[] {
  if (entry === NO_ENTRY) return [];
  return entry === DEFAULT_ENTRY ? defaultKeys(of) : [{ key: entry }];
}

const defaultKeys = (of: AnnotationClass): readonly AllowedKey[] =>
  DEFAULT_GROUPS[of].flatMap(({ keys }) => Object.entries(keys).map(([key, form]) => ({ key, form })));

let defaults: AllowedAnnotations | undefined;

/** What is allowed where no administrator says otherwise. */
export const defaultAnnotations = (): AllowedAnnotations => (defaults ??= allowedAnnotations());

/** Those entries that are about a key. */
export const entriesFor = (allowed: readonly AllowedKey[], key: string): readonly AllowedKey[] =>
  allowed.filter((entry) => (entry.key.endsWith('*') ? key.startsWith(entry.key.slice(0, -1)) : entry.key === key));
