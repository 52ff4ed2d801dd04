import type * as z from 'zod';
import type { Column } from './columns.ts';
import { SpecError, type Problem } from './error.ts';
import type { Rule } from './rules.ts';
import type { StructuralSchema } from './structural.ts';

/**
 * A spec of which any field may be missing. The API server converts such specs too: to merge what is applied, it takes
 * out the fields that a manager applied before (merge/update.go of structured-merge-diff v6).
 */
export type Sparse<T> = T extends readonly (infer Item)[]
  ? readonly Sparse<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]?: Sparse<T[Name]> | undefined }
    : T;

type Output<Spec> = Spec extends z.ZodType ? z.output<Spec> : unknown;
type Input<Spec> = Spec extends z.ZodType ? z.input<Spec> : unknown;

/** A version of a kind beside the one that is stored, as its author writes it. */
export interface VersionDefinition<Stored extends z.ZodType = z.ZodType, Spec = unknown> {
  /** `v1beta1`. */
  readonly name: string;
  /**
   * Its spec. The status is the same in all versions.
   *
   * @default - the spec of the stored version, so that nothing is converted
   */
  readonly spec?: Spec & z.ZodType;
  /**
   * The spec of the stored version for one of this version. Pure, for specs with missing fields too: it leaves out what
   * it knows nothing of. It fills in no defaults, and checks nothing: the API server does both. Required beside `spec`.
   */
  toStored?(this: void, spec: Sparse<Output<Spec>>): Sparse<z.input<Stored>>;
  /** The spec of this version for one of the stored version; else as `toStored`. */
  fromStored?(this: void, spec: Sparse<z.output<Stored>>): Sparse<Input<Spec>>;
  /**
   * Rules about the resource as a whole, as in the kind.
   *
   * @default - those of the kind where the spec is the same, else none
   */
  readonly rules?: readonly Rule[];
  /**
   * Columns of `kubectl get`.
   *
   * @default - those of the kind; where the spec is another one, without those that read it
   */
  readonly columns?: readonly Column[];
  /**
   * Whether the API server takes and gives resources of this version. One that is not served is only there for those
   * that were stored in it.
   *
   * @default true
   */
  readonly served?: boolean;
  /**
   * What the API server warns everybody of who uses it: `acme.dev/v1beta1 WebApp is deprecated; use acme.dev/v1`.
   *
   * @default - it is not deprecated
   */
  readonly deprecated?: string;
}

/** A version of a kind beside the one that is stored, with all that its author may leave out. */
export interface VersionSchema extends Pick<VersionDefinition, 'name' | 'deprecated' | 'toStored' | 'fromStored'> {
  readonly spec: z.ZodType;
  readonly served: boolean;
  readonly columns: readonly Column[];
  /** The whole resource. */
  readonly schema: () => StructuralSchema;
}

/** A version name: `validation.IsDNS1035Label` of apimachinery, which the validation of CRDs asks. */
const NAME = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** The longest warning, in bytes: `validateDeprecationWarning` of apiextensions-apiserver v0.36. */
const LONGEST_WARNING = 256;

/** Visible characters of any language, and plain spaces: a warning goes into an HTTP header. */
const PRINTABLE = /^(?:[^\p{C}\p{Z}]| )+$/u;

/**
 * Checks the versions of a kind.
 *
 * @throws SpecError with all that is wrong with them
 */
export function checkVersions(kind: string, stored: string, versions: readonly VersionDefinition[]): void {
  const names = [stored, ...versions.map(({ name }) => name)];
  const problems = [
    ...nameProblems('version', stored, []),
    ...versions.flatMap((version, at) => versionProblems(version, `versions[${at}]`, names.slice(0, at + 1))),
  ];
  if (problems.length > 0) throw new SpecError(`The kind ${kind}`, problems);
}

function versionProblems(version: VersionDefinition, path: string, others: readonly string[]): readonly Problem[] {
  const { name, spec, toStored, fromStored, deprecated } = version;
  const problems = [...nameProblems(`${path}.name`, name, others)];
  const missing = [
    ...(toStored === undefined ? ['toStored'] : []),
    ...(fromStored === undefined ? ['fromStored'] : []),
  ];
  if (missing.length === 1 || (missing.length > 0 && spec !== undefined)) {
    const why = spec === undefined ? 'the other function is there' : 'the version has a spec of its own';
    for (const name of missing) problems.push({ path: `${path}.${name}`, message: `must be a function, since ${why}` });
  }
  if (deprecated !== undefined && (bytesOf(deprecated) > LONGEST_WARNING || !PRINTABLE.test(deprecated))) {
    const message = `must be one line of text of at most ${LONGEST_WARNING} bytes`;
    problems.push({ path: `${path}.deprecated`, message, got: deprecated });
  }
  return problems;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function nameProblems(path: string, name: string, others: readonly string[]): readonly Problem[] {
  if (!NAME.test(name)) {
    const message = 'must be at most 63 lower-case letters, digits and dashes, and begin with a letter: v1, v1beta1';
    return [{ path, message, got: name }];
  }
  return others.includes(name) ? [{ path, message: 'must be a name that no other version has', got: name }] : [];
}
