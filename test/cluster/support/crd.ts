import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { crdOf } from '../../../constructs/schema/crd.ts';
import { SpecError, type Problem } from '../../../constructs/schema/error.ts';
import { GROUP, VERSION, type KindSchema } from '../../../constructs/schema/kind.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { ApiError, type KubeObject } from '../../../operator/kube/index.ts';
import { typeOf } from '../../../operator/kinds/shared/type.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { adminClient } from './client.ts';
import { eventually } from './eventually.ts';
import { edgesOf, numbersIn } from './numbers.ts';

/** A resource that must be accepted, or refused; one with an earlier spec is judged as a change. */
interface Example {
  /** What it shows, as a sentence's end: "accepts …". */
  readonly title: string;
  readonly name?: string;
  readonly spec: unknown;
  readonly old?: unknown;
}

interface Judged {
  readonly kind: KindSchema;
  readonly accepted: readonly Example[];
  readonly refused: readonly Example[];
  /** Valid names and specs. */
  readonly names: fc.Arbitrary<string>;
  readonly specs: fc.Arbitrary<unknown>;
}

/** Holds the examples of a kind against the real API server, whose words must be those of parseSpec. */
export function describeCrd({ kind, accepted, refused, names, specs }: Judged): void {
  const type = typeOf(kind);
  const admin = adminClient();
  const parse = ({ name = 'llama', spec, old }: Omit<Example, 'title'>) =>
    parseSpec(kind, { name, namespace: 'default', host: 'operator', spec, ...(old !== undefined && { old }) });

  /** Has the API server judge a resource, without keeping it. */
  async function judge({ name = 'llama', spec, old }: Omit<Example, 'title'>): Promise<KubeObject> {
    const resource = (of: unknown) => ({
      apiVersion: `${GROUP}/${VERSION}`,
      kind: kind.kind,
      metadata: { name, namespace: 'default' },
      spec: of,
    });
    const path = `/apis/${GROUP}/${VERSION}/namespaces/default/${kind.plural}`;
    const query = { dryRun: 'All', fieldValidation: 'Strict' };
    if (old === undefined) return (await admin.raw('POST', path, { query, body: resource(spec) })) as KubeObject;
    const { metadata } = await admin.create(type, resource(old));
    try {
      return (await admin.raw('PUT', `${path}/${name}`, {
        query,
        body: { ...resource(spec), metadata },
      })) as KubeObject;
    } finally {
      await admin.delete(type, metadata);
    }
  }

  /** What parseSpec and the API server say otherwise of a resource. */
  async function comparison(example: Omit<Example, 'title'>): Promise<string | undefined> {
    const problems = problemsIn(example);
    const refusal = await judge(example).then(
      () => undefined,
      (error: unknown) => (error instanceof ApiError ? error : Promise.reject(error as Error)),
    );
    if (refusal === undefined)
      return problems.length === 0 ? undefined : `only parseSpec refuses: ${linesOf(problems)}`;
    if (problems.length === 0) return `only the API server refuses: ${refusal.message}`;
    const [first] = disagreements(problems, inPlainNumbers(refusal));
    return first;
  }

  async function refusalOf(example: Example): Promise<ApiError> {
    try {
      await judge(example);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    return expect.unreachable('the API server must refuse it');
  }

  function problemsIn(example: Omit<Example, 'title'>): readonly Problem[] {
    try {
      parse(example);
      return [];
    } catch (error) {
      if (error instanceof SpecError) return error.problems;
      throw error;
    }
  }

  function problemsOf(example: Example): readonly Problem[] {
    const problems = problemsIn(example);
    if (problems.length === 0) expect.unreachable('parseSpec must refuse it');
    return problems;
  }

  describe(`the API server, of resources of the kind ${kind.kind},`, () => {
    beforeAll(async () => {
      await admin.apply(TYPES.customResourceDefinition, crdOf(kind), { fieldManager: 'test', force: true });
      await eventually(() => admin.list(type, { namespace: 'default' }));
    });

    test.each([...accepted])('accepts $title', async (example) => {
      await judge(example);
    });

    test.each([...refused])('refuses $title in the words of parseSpec', async (example) => {
      expect(disagreements(problemsOf(example), await refusalOf(example))).toEqual([]);
    });

    test('judges every number of a spec as parseSpec does, at all of its edges', async () => {
      const { spec: schema } = kind.schema().properties ?? {};
      if (schema === undefined) throw new Error(`${kind.kind} has no spec`);
      const written = [...accepted.map(({ spec }) => spec), ...fc.sample(specs, { numRuns: 300, seed: 1 })];
      const numbers = new Map(
        written.flatMap((spec) => numbersIn(schema, spec)).map((number) => [number.path, number] as const),
      );
      const wrong: string[] = [];
      for (const { path, schema: of, with: spec } of numbers.values()) {
        for (const edge of edgesOf(of)) {
          const reported = await comparison({ spec: spec(edge) });
          if (reported !== undefined) wrong.push(`${path}: ${edge}: ${reported}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(numbers.size).toBeGreaterThan(10);
    });

    test('gives a spec the defaults that parseSpec gives it', async () => {
      await fc.assert(
        fc.asyncProperty(names, specs, async (name, spec) => {
          expect((await judge({ name, spec }))['spec']).toEqual(parse({ name, spec }));
        }),
        { numRuns: 60 },
      );
    });
  });
}

/** Of a number that is no int64, the API server writes the limit with an exponent. */
function inPlainNumbers({ message, details }: ApiError): Pick<ApiError, 'details' | 'message'> {
  const plain = (text: string) => text.replace(/ to ([\d.]+e\+\d+)$/, (_, number: string) => ` to ${Number(number)}`);
  const causes = details.causes?.map((cause) => ({ ...cause, message: plain(cause.message ?? '') }));
  return { message, details: { ...details, ...(causes && { causes }) } };
}

const linesOf = (problems: readonly Problem[]): string =>
  problems.map(({ path, message }) => `${path}: ${message}`).join('; ');

/** Where the API server and parseSpec say other things about a spec that both refuse. */
export function disagreements(
  problems: readonly Problem[],
  { details, message }: Pick<ApiError, 'details' | 'message'>,
): readonly string[] {
  // A field that it doesn't know it refuses before it looks at anything else.
  const unknown = problems.filter((problem) => problem.message.startsWith('unknown field'));
  if (unknown.length > 0) {
    return unknown
      .map((problem) => problem.message.split(';', 1)[0] ?? '')
      .filter((words) => !message.includes(words))
      .map((words) => `the API server does not say: ${words}`);
  }
  // What is of another type may have fields that it doesn't know as well; it names the first ones only.
  if (details.causes === undefined) {
    return problems
      .filter(({ path }) => !message.includes(path))
      .map(({ path }) => `the API server does not name ${path}`);
  }
  // The root's own cause only says that rules were left out, since the structure is wrong. That of the scale
  // subresource, which begins with a dot, says of the field in other words what its schema says.
  const causes = details.causes.filter(({ field = '' }) => field !== '<nil>' && !field.startsWith('.'));
  const unreported = causes
    .filter(
      ({ field, message: reported = '' }) =>
        !problems.some(({ path, message }) => path === field && reported.endsWith(message)),
    )
    .map(({ field, message: reported }) => `parseSpec does not say of ${field}: ${reported}`);
  const isWhole = !details.causes.some(({ field }) => field === '<nil>');
  return isWhole && unreported.length === 0 && causes.length !== problems.length
    ? [`parseSpec says ${problems.length} things, the API server ${causes.length}`]
    : unreported;
}
