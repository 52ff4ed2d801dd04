import { describe, expect, test } from 'vitest';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { SpecError } from '../../../constructs/schema/error.ts';
import { parseSpec, type Host } from '../../../constructs/schema/parse.ts';
import { accepted } from '../../examples/model-serving/accepted.ts';
import { minimal, type AcceptedExample, type RefusedExample } from '../../examples/model-serving/example.ts';
import { mostValues } from '../../examples/model-serving/refused.pods.ts';
import { refused } from '../../examples/model-serving/refused.ts';

const parse = ({ name = 'llama', spec, old }: AcceptedExample | RefusedExample, host: Host = 'operator') =>
  parseSpec(modelServing, {
    name,
    namespace: 'models',
    spec: spec as AcceptedExample['spec'],
    host,
    ...(old && { old }),
  });

function errorOf(run: () => unknown): SpecError {
  try {
    run();
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  return expect.unreachable('must be refused');
}

describe('the spec of a ModelServing', () => {
  test.each(accepted)('accepts $title', (example) => {
    expect(() => parse(example)).not.toThrow();
    expect(() => parse(example, 'static')).not.toThrow();
  });

  test('accepts as many values from Secrets as a podTemplate may take', () => {
    expect(() => parse({ title: '', spec: mostValues })).not.toThrow();
  });

  test.each(refused)('refuses $title', (example) => {
    const { problems } = errorOf(() => parse(example));
    expect(problems).toHaveLength(example.problems.length);
    for (const [path, message] of example.problems) {
      expect(problems).toContainEqual(expect.objectContaining({ path, message: expect.stringContaining(message) }));
    }
  });

  test('gets the defaults that its schema states', () => {
    expect(parse({ title: '', spec: { ...minimal, parallelism: {} } })).toEqual({
      ...minimal,
      storage: { size: '40Gi', accessMode: 'ReadWriteOnce', retain: false },
      resources: { gpu: 1, gpuResource: 'nvidia.com/gpu' },
      parallelism: { tensor: 1, pipeline: 1, data: 1, expert: false },
      drain: { timeoutSeconds: 120 },
      security: { level: 'restricted' },
      retired: false,
    });
  });

  test('is parsed to what zod makes of it', () => {
    for (const example of accepted) expect(parse(example)).toEqual(modelServing.spec.parse(example.spec));
  });

  test('is not changed when it is parsed again', () => {
    for (const example of accepted) {
      const once = parse(example);
      expect(parse({ ...example, spec: once as AcceptedExample['spec'] })).toEqual(once);
    }
  });

  test('may be retired under the operator, and not in a static host', () => {
    const retired = { title: '', spec: { ...minimal, retired: true } };
    expect(parse(retired).retired).toBe(true);
    expect(errorOf(() => parse(retired, 'static')).problems).toEqual([
      { path: 'spec.retired', message: expect.stringContaining('is for the operator only'), got: true },
    ]);
  });

  test('must be in a namespace that can exist', () => {
    const inNamespace = (namespace: string) => () =>
      parseSpec(modelServing, { name: 'llama', namespace, spec: minimal });
    expect(inNamespace('a'.repeat(63))).not.toThrow();
    for (const namespace of ['', 'a'.repeat(64), 'Models', 'a.b']) {
      expect(errorOf(inNamespace(namespace)).problems).toMatchObject([{ path: 'metadata.namespace', got: namespace }]);
    }
  });

  test('tells all that is wrong with it in one error, line by line', () => {
    const error = errorOf(() =>
      parse({ title: '', problems: [], name: 'Llama', spec: { ...minimal, replicas: 2, engine: { type: 'custom' } } }),
    );
    expect(error.message).toBe(
      [
        'ModelServing models/Llama is invalid:',
        '  metadata.name: must be lower-case letters, digits and "-", beginning with a letter and ending with a letter or digit, since a Service gets this name (got "Llama")',
        '  spec.replicas: must be at most 1, since a ReadWriteOnce volume serves one node: set storage.accessMode to ReadWriteMany, with a storage class that can, or keep to one replica (got 2)',
        '  spec.engine.image: is required where engine.type is custom, which has no image of its own',
      ].join('\n'),
    );
  });

  test('never repeats the value of a variable in an error', () => {
    const env = [{ name: 'A', value: 'secret', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
    const error = errorOf(() => parse({ title: '', problems: [], spec: { ...minimal, env } }));
    expect(error.message + JSON.stringify(error.problems)).not.toContain('secret');
  });
});
