import { NAMING_ANNOTATION, NAMINGS } from '../../../constructs/parts/objects/index.ts';
import type { Naming } from '../../../constructs/parts/objects/index.ts';
import { SpecError } from '../../../constructs/schema/error.ts';
import { own } from '../../../constructs/schema/json.ts';
import type { Resource } from '../../engine/api/index.ts';

/** What the value of a label may be: the name is one. */
const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const NAME_TEXT =
  'must have behind its / a name of at most 63 letters, digits, "-", "_" and ".", beginning and ending with a letter or digit';

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
  if (make && LABEL_VALUE.test(name)) return make(name);
  throw new SpecError(`${kind} ${metadata.namespace ?? ''}/${metadata.name}`, [
    {
      path: `metadata.annotations[${NAMING_ANNOTATION}]`,
      message: make ? NAME_TEXT : `must be one of ${Object.keys(NAMINGS).join(', ')}, or be left out`,
      got: asked,
    },
  ]);
}
