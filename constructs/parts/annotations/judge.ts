import { withGot, type Problem } from '../../schema/error.ts';
import { defaultAnnotations, entriesFor, type AllowedAnnotations, type AllowedKey } from './allowed.ts';
import type { AnnotationClass } from './group.ts';
import { annotationsOfSpec, type SpecAnnotation } from './of-spec.ts';

/** The objects of each class, as one is about them. */
const OBJECTS: Readonly<Record<AnnotationClass, string>> = {
  ingress: 'an Ingress',
  serviceAccount: 'a ServiceAccount',
  pod: 'a pod',
};

/** So many refused annotations are told one by one: a condition has room for some thousand characters. */
const MAX_LISTED = 16;
/** So many neighbours of a refused key are named, and so much of a value. */
const MOST_NEIGHBOURS = 8;
const LONGEST_VALUE = 64;

/** The page that has all that is allowed by default. */
const REFERENCE = 'docs/reference/annotations.md';

/** The annotations of a spec that are not allowed, with what is and who can allow them. */
export function notAllowed(spec: unknown, allowed: AllowedAnnotations): readonly Problem[] {
  const problems = annotationsOfSpec(spec).flatMap((annotation) => refusal(annotation, allowed));
  const [first, more] = [problems.slice(0, MAX_LISTED), problems.length - MAX_LISTED];
  if (more <= 0) return first;
  return [...first, { path: 'spec', message: `has ${more} more annotations that are not allowed` }];
}

/** Whether no annotation of a spec is refused. */
export const isAllowed = (spec: unknown, allowed: AllowedAnnotations): boolean =>
  notAllowed(spec, allowed).length === 0;

/**
 * Warnings for a host where there is no operator, and each annotation is put on its object with the rights of the user who
 * applies it. About keys alone: a value may be known later only.
 */
export const annotationWarnings = (spec: unknown): readonly string[] =>
  annotationsOfSpec(spec)
    .filter(({ class: of, key }) => entriesFor(defaultAnnotations()[of], key).length === 0)
    .map(
      ({ class: of, path }) =>
        `${path}: is applied here with your own rights; the operator refuses it unless an administrator adds the key to its setting allowedAnnotations.${of}`,
    );

function refusal(annotation: SpecAnnotation, allowed: AllowedAnnotations): readonly Problem[] {
  const { class: of, path, key, value } = annotation;
  const entries = entriesFor(allowed[of], key);
  if (entries.length === 0) {
    return [
      {
        path,
        message: `is not an annotation that the operator may put on ${OBJECTS[of]}; ${neighbours(key, allowed[of])}. Leave it out, or ask an administrator to add the key to allowedAnnotations.${of} of the operator`,
      },
    ];
  }
  if (entries.some(({ form }) => form === undefined || form.pattern.test(value))) return [];
  const forms = [...new Set(entries.map(({ form }) => form?.allowed))].join(', or ');
  const message = `must be ${forms}. An administrator may allow any value by adding the key to allowedAnnotations.${of} of the operator`;
  return [withGot({ path, message }, value.slice(0, LONGEST_VALUE))];
}

/** What is allowed in the neighbourhood of a key, since a whole list would be too long to be read. */
function neighbours(key: string, allowed: readonly AllowedKey[]): string {
  if (allowed.length === 0) return 'none is allowed';
  const prefix = key.includes('/') ? key.slice(0, key.indexOf('/') + 1) : '';
  const near = prefix === '' ? [] : allowed.filter((entry) => entry.key.startsWith(prefix)).map((entry) => entry.key);
  if (near.length === 0) return `none of that prefix is allowed (by default those of ${REFERENCE})`;
  const named = near.slice(0, MOST_NEIGHBOURS).map((name) => name.slice(prefix.length));
  const rest = near.length - named.length;
  return `of ${prefix} are allowed: ${named.join(', ')}${rest > 0 ? ` and ${rest} more (${REFERENCE})` : ''}`;
}
