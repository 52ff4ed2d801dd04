import { NAMING_ANNOTATION, NAMINGS } from '../../../constructs/parts/naming.ts';
import type { Naming } from '../../../constructs/parts/naming.ts';
import { SpecError } from '../../../constructs/schema/error.ts';
import { own } from '../../../constructs/schema/json.ts';
import type { Resource } from '../../engine/kind.ts';

/** What a construct is made from, of a resource. */
export function propsOf<Spec>(resource: Resource<Spec>) {
  const { metadata, spec } = resource;
  const naming = namingOf(resource);
  return { name: metadata.name, namespace: metadata.namespace ?? '', spec, ...(naming && { naming }) };
}

/**
 * The names and labels that the users of a resource rely on.
 *
 * @throws SpecError where it asks for such as nobody knows
 */
export function namingOf({ kind, metadata }: Pick<Resource, 'kind' | 'metadata'>): Naming | undefined {
  const asked = metadata.annotations?.[NAMING_ANNOTATION];
  if (asked === undefined) return undefined;
  const [of = '', name = metadata.name] = asked.split('/');
  const make: ((name: string) => Naming) | undefined = own(NAMINGS, of);
  if (make) return make(name);
  throw new SpecError(`${kind} ${metadata.namespace ?? ''}/${metadata.name}`, [
    {
      path: `metadata.annotations[${NAMING_ANNOTATION}]`,
      message: `must be one of ${Object.keys(NAMINGS).join(', ')}, or be left out`,
      got: asked,
    },
  ]);
}
