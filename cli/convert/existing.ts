import type { Json } from '../../constructs/schema/json.ts';
import type { Manifest } from '../../constructs/workload.ts';
import type { Resource } from '../../operator/engine/kind.ts';
import { equalOf } from '../../operator/kinds/existing/equal.ts';
import { translations } from '../../operator/kinds/existing/index.ts';
import type { Translation } from '../../operator/kinds/existing/translation.ts';
import { unknownFieldsOf } from '../../operator/kinds/existing/unknown-fields.ts';
import { NAMING_ANNOTATION } from '../../operator/kinds/shared/naming.ts';
import type { Conversion } from './conversion.ts';
import { Fields } from './fields.ts';

/** How the operator runs resources of this kind; undefined where it does not. */
export const translationOf = ({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): Translation | undefined =>
  translations.find(({ theirs }) => apiVersion.startsWith(`${theirs.group}/`) && theirs.kind === kind);

/**
 * What the operator runs a resource as.
 *
 * @param file - the objects that it may refer to
 */
export function convertExisting(translation: Translation, manifest: Manifest, file: readonly Manifest[]): Conversion {
  const { theirs, ours, naming } = translation;
  const fields = new Fields({ spec: (manifest['spec'] ?? {}) as Json }, '');
  const unknown = unknownFieldsOf(theirs, manifest['spec']).map((path) => ({
    path,
    value: fields.peek(path) ?? null,
    message: 'has no equal: nobody knows this field',
  }));
  const { spec, missing } = equalOf(translation, asResource(manifest), relatedIn(file));
  return {
    kind: ours,
    spec: spec ?? {},
    ...(naming && { annotations: { [NAMING_ANNOTATION]: naming } }),
    notes: [
      ...unknown,
      ...(missing ? [{ path: 'spec', message: missing.message }] : []),
      ...(naming
        ? [
            {
              path: `metadata.annotations[${NAMING_ANNOTATION}]`,
              message: 'keeps the names and labels that users rely on: take it out once nobody does',
            },
          ]
        : []),
    ],
  };
}

const asResource = ({ apiVersion, kind, metadata, ...rest }: Manifest): Resource => ({
  apiVersion,
  kind,
  metadata: { uid: '', resourceVersion: '', creationTimestamp: '', ...metadata },
  spec: rest['spec'] ?? {},
});

const relatedIn = (file: readonly Manifest[]): Readonly<Record<string, Resource>> =>
  Object.fromEntries(file.map((manifest) => [`${manifest.kind}/${manifest.metadata.name}`, asResource(manifest)]));
