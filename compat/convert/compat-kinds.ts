import { withDefaults } from '../../constructs/schema/defaults.ts';
import { reasonOf } from '../../constructs/schema/error.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { StructuralSchema } from '../../constructs/schema/structural.ts';
import { structureProblems } from '../../constructs/schema/structure.ts';
import type { Manifest } from '../../constructs/workload.ts';
import type { Resource } from '../../operator/engine/api/index.ts';
import { equivalentOf, translations, COMPAT_SCHEMAS } from '../kinds/index.ts';
import type { Translation } from '../kinds/index.ts';
import { NAMING_ANNOTATION } from '../../constructs/parts/objects/index.ts';
import type { Conversion } from './conversion.ts';
import { idleIn } from './idle.ts';
import type { Fields, Note } from './fields.ts';
import { written } from './place.ts';

/** How the operator runs resources of this kind; undefined where it does not. */
export const translationOf = ({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): Translation | undefined =>
  translations.find(({ theirs }) => isOf(theirs, { apiVersion, kind }));

const isOf = ({ group, kind }: KindSchema, manifest: Pick<Manifest, 'apiVersion' | 'kind'>): boolean =>
  manifest.apiVersion.startsWith(`${group}/`) && manifest.kind === kind;

/**
 * What the operator runs a resource as.
 *
 * @param fields - of the whole resource
 * @param file - the objects that it may refer to
 */
export function convertCompat(
  translation: Translation,
  manifest: Manifest,
  { fields, file }: { readonly fields: Fields; readonly file: readonly Manifest[] },
): Conversion {
  const { ours: kind, theirs, naming } = translation;
  fields.take('spec');
  const resource = asResource(manifest);
  const invalid = invalidIn(theirs, resource);
  if (invalid.length > 0) return { kind, spec: {}, notes: invalid };
  const related = relatedIn(translation, resource, file);
  const { spec, missing } = equivalentOf(translation, resource, related.valid);
  if (spec === undefined) {
    const message = missing?.message ?? 'has no equivalent yet';
    return { kind, spec: {}, notes: [...related.invalid, { path: 'spec', value: resource.spec as Json, message }] };
  }
  return {
    kind,
    spec,
    ...(naming && { annotations: { [NAMING_ANNOTATION]: naming } }),
    notes: [
      ...idleNotes(theirs, resource, (changed) => equivalentOf(translation, changed, related.valid).spec),
      ...Object.entries(related.valid).flatMap(([id, each]) =>
        idleNotes(
          definitionOf(each),
          each,
          (changed) => equivalentOf(translation, resource, { [id]: changed }).spec,
          id,
        ),
      ),
      ...related.invalid,
      ...(naming ? [KEPT_NAMES] : []),
    ],
  };
}

const KEPT_NAMES: Note = {
  path: `metadata.annotations[${NAMING_ANNOTATION}]`,
  message: 'keeps the names and labels that users rely on: take it out once nobody does',
};

/** What of a spec can't be carried over since it does nothing there either, as the rest of the spec is. */
function idleNotes(
  definition: KindSchema | undefined,
  resource: Resource,
  specOf: (changed: Resource) => unknown,
  of?: string,
): readonly Note[] {
  const schema = specSchemaOf(definition);
  const idle = idleIn(resource.spec as Json, {
    complete: (spec) => withDefaults(schema, spec),
    equivalentOf: (spec) => specOf({ ...resource, spec }),
  });
  return idle.map(({ place, value }) => ({
    path: `${of === undefined ? '' : `${of}: `}${written(['spec', ...place])}`,
    value,
    message: 'has no equivalent: without it all would be the same',
  }));
}

/** What no API server would have stored: nobody can tell what it was meant to be. */
function invalidIn(definition: KindSchema | undefined, { spec }: Resource, of = ''): readonly Note[] {
  const schema = specSchemaOf(definition);
  const problems = structureProblems(schema, withDefaults(schema, spec as Json), 'spec');
  if (problems.length === 0) return [];
  return [
    { path: `${of}spec`, value: spec as Json, message: 'is not carried over, since it is not valid:' },
    ...problems.map((problem) => ({ path: `${of}${problem.path}`, message: reasonOf(problem) })),
  ];
}

/** What a resource refers to, in its file. */
function relatedIn(translation: Translation, resource: Resource, file: readonly Manifest[]) {
  const references = new Set(translation.references?.(resource));
  const valid: Record<string, Resource> = {};
  const invalid: Note[] = [];
  for (const manifest of file) {
    const id = `${manifest.kind}/${manifest.metadata.name}`;
    if (!references.has(id)) continue;
    const notes = invalidIn(definitionOf(manifest), asResource(manifest), `${id}: `);
    if (notes.length === 0) valid[id] = asResource(manifest);
    for (const note of notes) invalid.push(note);
  }
  return { valid, invalid };
}

const definitionOf = (manifest: Pick<Manifest, 'apiVersion' | 'kind'>): KindSchema | undefined =>
  COMPAT_SCHEMAS.find((each) => isOf(each, manifest));

const specSchemaOf = (definition: KindSchema | undefined): StructuralSchema =>
  definition?.schema().properties?.['spec'] ?? {};

const asResource = ({ apiVersion, kind, metadata, ...rest }: Manifest): Resource => ({
  apiVersion,
  kind,
  metadata: { uid: '', resourceVersion: '', creationTimestamp: '', ...metadata },
  spec: rest['spec'] ?? {},
});
