import type {
  Answer,
  ComputationAnswer,
  ComputationQuery,
  Kind,
  Query,
  Resource,
} from '../../operator/engine/api/index.ts';
import { isObject, type Json } from '../../constructs/schema/json.ts';
import { QueryRunner } from '../../operator/engine/queries/index.ts';
import type { KubeClient, ResourceType } from '../../operator/kube/index.ts';
import type { Find } from './answers.ts';
import { SimulationError } from './errors.ts';
import { copied } from './spec.ts';

/** What a test says is answered: a value, or a function of what is asked. */
export type Given =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'error'; readonly message: string };

export interface QuestionOptions {
  readonly kind: Pick<Kind, 'computations'>;
  readonly client: Pick<KubeClient, 'find' | 'list' | 'openLog'>;
  /** By the id of what is asked. */
  readonly given: ReadonlyMap<string, Given>;
  readonly isServed: (type: ResourceType) => boolean;
  readonly now: () => number;
}

/** What the engine finds out by the API server alone, so that the objects of a life answer it. */
const ABOUT_OBJECTS: ReadonlySet<string> = new Set(['configMap', 'object', 'objects', 'secret', 'served']);

/**
 * Finds out what a resource asks: what the test has given comes first, then what objects tell, then what a function
 * computes. All else has no answer until the test gives one.
 */
export function finderOf(options: QuestionOptions): Find {
  const { kind, client, given, isServed, now } = options;
  const runner = new QueryRunner({
    client,
    isServed: (type) => Promise.resolve(isServed(type)),
    pod: () => undefined,
    now,
  });
  return async (query, about) => {
    const known = given.get(query.id);
    if (known !== undefined) return answerOf(query, known, now());
    if (query.type === 'ask') return undefined;
    if (query.type === 'computation') return { ...(await computed(kind, query)), at: now() };
    return ABOUT_OBJECTS.has(query.type) ? found(runner, query, about, now()) : undefined;
  };
}

/** A value becomes an answer of the type that was asked for. */
function answerOf(query: Query, given: Given, at: number): Answer {
  if (given.type === 'error') return { at, type: 'unknown', message: given.message };
  const { value } = given;
  if (query.type === 'ask') {
    const answer: unknown = typeof value === 'function' ? (value as (input: unknown) => unknown)(query.input) : value;
    return { at, type: 'ask', value: (copied(answer, `the answer to ${query.id}`) ?? null) as Json };
  }
  if (isObject(value)) return { ...value, at, type: query.type } as Answer;
  throw new SimulationError(
    `the answer to ${query.id} must be an object, as a query of the type ${query.type} is answered (got ${JSON.stringify(value) ?? typeof value})`,
  );
}

type LookUp = Parameters<QueryRunner['answer']>[0];

async function found(runner: QueryRunner, query: LookUp, about: Resource, at: number): Promise<Answer> {
  try {
    return await runner.answer(query, about);
  } catch (error) {
    return { at, type: 'unknown', message: error instanceof Error ? error.message : String(error) };
  }
}

async function computed(
  { computations }: Pick<Kind, 'computations'>,
  { name, input }: ComputationQuery,
): Promise<ComputationAnswer> {
  if (computations === undefined) return { type: 'uncomputed', message: `the kind has no module of computations` };
  const functions = (await import(computations.href)) as Readonly<Record<string, (input: unknown) => unknown>>;
  const compute = functions[name];
  if (compute === undefined) return { type: 'uncomputed', message: `${computations.href} exports no ${name}` };
  try {
    return { type: 'computed', value: compute(structuredClone(input)) };
  } catch (error) {
    return { type: 'uncomputed', message: error instanceof Error ? error.message : String(error) };
  }
}
