import { withDefaults } from '../../constructs/schema/defaults.ts';
import { SpecError } from '../../constructs/schema/error.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { VERSION } from '../../constructs/schema/kind.ts';
import { parseSpec } from '../../constructs/schema/parse.ts';
import type { Resource } from '../../operator/engine/api/index.ts';
import { NAMING_ANNOTATION } from '../../constructs/parts/objects/index.ts';
import { rememberedIn } from './status.ts';
import type { Equivalent, Related, Translation } from './translation.ts';

/** The equivalent of a resource, which may lack the defaults of its kind where no API server has seen it. */
export function equivalentOf(translation: Translation, resource: Resource, related: Related): Equivalent {
  const schema = translation.theirs.schema().properties?.['spec'] ?? {};
  const spec = withDefaults(schema, (resource.spec ?? {}) as Json);
  return translation.equivalentOf({ ...resource, spec }, related);
}

/**
 * A resource as the one of ours that it is: with the same name, the names that its users rely on, and what is remembered.
 *
 * @throws SpecError where its spec can't work, with the paths of its own fields
 */
export function asOurs(translation: Translation, resource: Resource, spec: object): Resource {
  const { ours, naming } = translation;
  const { metadata } = resource;
  const status = rememberedIn(resource);
  const annotations = { ...metadata.annotations, ...(naming && { [NAMING_ANNOTATION]: naming }) };
  return {
    apiVersion: `${ours.group}/${VERSION}`,
    kind: ours.kind,
    metadata: { ...metadata, annotations },
    spec: parsed(translation, resource, spec),
    ...(status && { status }),
  };
}

function parsed({ ours, theirs, origins }: Translation, { metadata }: Resource, spec: object): unknown {
  const { name, namespace = '' } = metadata;
  try {
    return parseSpec(ours, { name, namespace, spec, host: 'operator' });
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const problems = error.problems.map((problem) => ({ ...problem, path: originOf(origins, problem.path) }));
    throw new SpecError(`${theirs.kind} ${namespace}/${name}`, problems);
  }
}

/** The field of theirs that a path of ours comes from: by the longest part of it that is known. */
export function originOf(origins: Translation['origins'], path: string): string {
  const known = Object.keys(origins)
    .filter((field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`))
    .toSorted((a, b) => b.length - a.length);
  const [field] = known;
  return field === undefined ? path : `${origins[field]}${path.slice(field.length)}`;
}
