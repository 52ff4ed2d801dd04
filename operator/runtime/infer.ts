import type { Json } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { RenderedChild } from '../../constructs/workload.ts';
import { groupKind } from '../engine/api/index.ts';
import type { ChildType, Resource } from '../engine/api/index.ts';
import { liesElsewhere } from '../engine/plan/index.ts';
import { knownTypeOf } from './child-types.ts';
import type { Behaviour } from './definition.ts';
import { made } from './render-children.ts';
import { sampleOf } from './sample.ts';

/**
 * The types of what a construct makes of the examples; where there are none, of specs that are filled from the schema.
 *
 * @throws TypeError where that can't be found out: the kind has to name them
 */
export function inferredTypes(
  definition: Behaviour,
  schema: KindSchema,
): { readonly children: readonly ChildType[]; readonly elsewhere: boolean } {
  const resources = specsFor(definition, schema).map((spec) => resourceWith(schema, spec));
  const tries = resources.map((resource) => attempt(definition, schema, resource));
  const rendered = tries.flatMap((one) => ('children' in one ? [one] : []));
  const failures = tries.flatMap((one) => ('error' in one ? [one.error] : []));
  const isGiven = definition.examples !== undefined && definition.examples.length > 0;
  if (rendered.length === 0 || (isGiven && failures.length > 0)) {
    throw new TypeError(
      `the types of the children of ${schema.kind} can't be found out${because(failures)}: name them in children, as in ['apps/v1/Deployment', 'v1/Service'], or give examples, specs as users write them`,
    );
  }
  const children = rendered.flatMap((one) => one.children);
  const types = new Map(children.map(({ manifest }) => [groupKind(manifest), typeOf(manifest, schema)]));
  const elsewhere = rendered.some(({ resource, children: all }) =>
    all.some(({ manifest }) => liesOutside(manifest, resource)),
  );
  return { children: [...types.values()], elsewhere };
}

const liesOutside = ({ metadata, apiVersion, kind }: RenderedChild['manifest'], resource: Resource): boolean => {
  const isOfCluster = knownTypeOf({ apiVersion, kind })?.scope === 'Cluster';
  return metadata.namespace === undefined
    ? isOfCluster && resource.metadata.namespace !== undefined
    : liesElsewhere(metadata.namespace, resource);
};

const because = ([first]: readonly unknown[]): string =>
  first === undefined ? '' : ` (${first instanceof Error ? first.message : JSON.stringify(first)})`;

/** What may be in a spec is seen with all fields; where that is too much at once, with those alone that must be there. */
function specsFor({ examples = [] }: Behaviour, { schema }: KindSchema): readonly Json[] {
  if (examples.length > 0) return examples as readonly Json[];
  const spec = schema().properties?.['spec'] ?? {};
  return [sampleOf(spec, 'all'), sampleOf(spec, 'required')];
}

const resourceWith = ({ group, version, kind, scope }: KindSchema, spec: Json): Resource => ({
  apiVersion: `${group}/${version}`,
  kind,
  metadata: {
    name: 'example',
    ...(scope === 'Namespaced' && { namespace: 'default' }),
    uid: 'example',
    resourceVersion: '0',
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec,
});

type Attempt =
  | { readonly resource: Resource; readonly children: readonly RenderedChild[] }
  | { readonly error: unknown };

function attempt(definition: Behaviour, schema: KindSchema, resource: Resource): Attempt {
  try {
    // In which namespaces it may lie is of no matter here.
    return { resource, children: made(definition, { ...schema, namespaced: () => [] }, resource, {}) };
  } catch (error) {
    return { error };
  }
}

function typeOf(manifest: RenderedChild['manifest'], { kind }: KindSchema): ChildType {
  const known = knownTypeOf(manifest);
  if (known !== undefined) return known;
  throw new TypeError(
    `the construct of ${kind} makes ${manifest.apiVersion}/${manifest.kind}, which is none of Kubernetes' own types: name all types in children, this one with its plural: { group, version, kind, plural }`,
  );
}
