import { SpecError, withGot, type Problem } from '../../constructs/schema/error.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import { parseSpec } from '../../constructs/schema/parse.ts';
import type { Resource } from '../engine/api/index.ts';

/**
 * The spec of a resource with its defaults, valid by the schema: by all that the API server holds as well, and by what only
 * zod can say (refinements, transformations).
 *
 * @throws SpecError with all that is wrong
 */
export function parsed(schema: KindSchema, { metadata, spec }: Pick<Resource, 'metadata' | 'spec'>): unknown {
  const { name, namespace = '' } = metadata;
  const filled: unknown = parseSpec(schema, { name, namespace, spec, host: 'operator' });
  const result = schema.spec.safeParse(filled);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }): Problem => {
    const where = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
    return withGot({ path: `spec${where}`, message }, valueAt(filled, path));
  });
  throw new SpecError(`${schema.kind} ${[namespace, name].filter((part) => part !== '').join('/')}`, problems);
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, part) => (inner as Record<PropertyKey, unknown> | undefined)?.[part] ?? null, value);
