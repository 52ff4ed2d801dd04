import { parseSpec } from '../../constructs/schema/parse.ts';
import { SpecError } from '../../constructs/schema/error.ts';
import { structureProblems } from '../../constructs/schema/structure.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Kind } from '../../operator/engine/api/index.ts';
import { SimulationError } from './errors.ts';
import { titleOf } from './names.ts';

/** The schema of a kind, where it has one. */
const schemaOf = (kind: object): KindSchema | undefined => ('schema' in kind ? (kind.schema as KindSchema) : undefined);

/**
 * A copy of plain data, as JSON has it.
 *
 * @param what - for the message
 * @throws SimulationError where it is something else
 */
export function copied<T>(value: T, what: string): T {
  try {
    return structuredClone(value);
  } catch (error) {
    throw new SimulationError(`${what} must be plain data, as JSON has it: no functions and no promises`, {
      cause: error,
    });
  }
}

interface Written {
  readonly name: string;
  readonly namespace: string;
  readonly spec: unknown;
  /** Before a change. */
  readonly old?: unknown;
}

/**
 * The first example of a kind.
 *
 * @throws SimulationError where it has none
 */
export function exampleOf(kind: object): unknown {
  const { examples = [] } = kind as { readonly examples?: readonly unknown[] };
  if (examples.length > 0) return examples[0];
  throw new SimulationError('give the spec, as in simulate(WebApp, { spec: { … } }): the kind has no examples');
}

/**
 * A spec as the API server stores it: with its defaults, and checked by the schema and the rules of its CRD.
 *
 * @throws SimulationError with all problems, where the API server would refuse it
 */
export function storedSpec(kind: Pick<Kind, 'type'>, { name, namespace, spec, old }: Written): unknown {
  const schema = schemaOf(kind);
  if (schema === undefined) return spec;
  const subject = titleOf({ kind: schema.kind, namespace, name });
  try {
    const parsed: unknown = parseSpec(schema, {
      name,
      // One of the cluster has none; what is checked of it is that it is a name.
      namespace: namespace === '' ? 'cluster' : namespace,
      spec: spec,
      ...(old !== undefined && { old: old }),
      host: 'operator',
    });
    return parsed;
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    throw new SimulationError(`the API server refuses ${subject}: ${error.message}`, { cause: error });
  }
}

/** What is wrong with a status by the schema of its CRD, so that the API server would not take it; undefined where it is well. */
export function statusProblem(kind: Pick<Kind, 'type'>, status: unknown): string | undefined {
  const schema = schemaOf(kind)?.schema().properties?.['status'];
  if (schema === undefined) return undefined;
  const problems = structureProblems(schema, status as Json, 'status');
  return problems.length === 0 ? undefined : problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
}
