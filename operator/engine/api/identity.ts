import type { Manifest } from '../../../constructs/workload.ts';

/** What names an object; the namespace is '' for objects of the cluster. */
export interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** The group of an `apiVersion`; `''` is the core group. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** A type without its version: `apps/Deployment`, `/Service`. */
export const groupKind = ({ apiVersion, kind }: Pick<Named, 'apiVersion' | 'kind'>): string =>
  `${groupOf(apiVersion)}/${kind}`;

/** Of some types that of an object, in any version. */
export const typeAmong = <T extends { readonly group: string; readonly kind: string }>(
  types: readonly T[],
  object: Pick<Named, 'apiVersion' | 'kind'>,
): T | undefined => types.find(({ group, kind }) => `${group}/${kind}` === groupKind(object));

/** Which object a manifest is about. */
export const namedBy = ({ apiVersion, kind, metadata: { namespace = '', name } }: Manifest): Named => ({
  apiVersion,
  kind,
  namespace,
  name,
});

/** What tells an object from all others that may exist at the same time, in whatever version it is read. */
export const identityOf = (object: Named): string => `${groupKind(object)}/${object.namespace}/${object.name}`;

/** An object in words: `Deployment llama`. */
export const nameOf = ({ kind, name }: Pick<Named, 'kind' | 'name'>): string => `${kind} ${name}`;
