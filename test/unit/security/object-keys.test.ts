import { expect, test } from 'vitest';
import { SpecError, type Problem } from '../../../constructs/schema/error.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import { mergePodTemplate } from '../../../constructs/parts/pod/pod-template.ts';
import { haveChanged, learn, whole } from '../../../operator/kinds/shared/references.ts';
import { modelServing as kind, type ModelServingResource } from '../../../operator/kinds/model-serving/index.ts';
import { podOf, render } from '../model-serving/support/render.ts';
import { single } from '../model-serving/support/specs.ts';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';

/** Keys that every object of JavaScript seems to have. */
const INHERITED = ['toString', 'hasOwnProperty', 'valueOf'];

/** As it comes over the wire: `__proto__` is a key like any other. */
const wire = (text: string): object => JSON.parse(text) as object;

function problemsOf(spec: object): readonly Problem[] {
  try {
    parseSpec(modelServing, { name: 'llama', namespace: 'models', spec: spec as ModelServingSpecInput });
    return [];
  } catch (error) {
    if (error instanceof SpecError) return error.problems;
    throw error;
  }
}

test.each(INHERITED)('a label, an annotation and a node selector may be called %s', (key) => {
  const map = { [key]: 'a' };
  const spec = { ...single, nodeSelector: map, podTemplate: { metadata: { labels: map, annotations: map } } };
  expect(problemsOf(spec)).toEqual([]);
  expect(podOf(spec).nodeSelector).toEqual(map);
  const text = JSON.stringify(render(spec));
  expect(text.split(`"${key}":"a"`)).toHaveLength(4);
});

test.each(INHERITED)('the value of a label called %s is checked as any other', (key) => {
  expect(problemsOf({ ...single, nodeSelector: { [key]: 1 } })).toMatchObject([{ path: `spec.nodeSelector.${key}` }]);
});

test.each([...INHERITED, 'constructor', '__proto__'])('a field called %s is as unknown as any other', (key) => {
  const [problem] = problemsOf({ ...single, engine: wire(`{"type": "vllm", "${key}": {"a": 1}}`) });
  expect(problem?.message).toContain(`unknown field "spec.engine.${key}"`);
});

test('a label, an annotation and a resource called constructor are refused, since cdk8s cannot print them', () => {
  const map = { constructor: 'a' };
  const resources = { requests: { constructor: '1' } };
  const podTemplate = { metadata: { annotations: map }, spec: { containers: [{ name: 'server', resources }] } };
  expect(problemsOf({ ...single, nodeSelector: map, podTemplate })).toMatchObject([
    { path: 'spec.nodeSelector', message: expect.stringContaining('"constructor"') },
    { path: 'spec.podTemplate.metadata.annotations', message: expect.stringContaining('"constructor"') },
    {
      path: 'spec.podTemplate.spec.containers[0].resources.requests',
      message: expect.stringContaining('"constructor"'),
    },
  ]);
});

test('a label called __proto__ is refused', () => {
  const labels = wire('{"__proto__": "a"}');
  const problems = problemsOf({ ...single, nodeSelector: labels, podTemplate: { metadata: { labels } } });
  expect(problems.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['spec.nodeSelector', 'spec.podTemplate.metadata.labels']),
  );
});

test('a merge of pod templates loses no key, and gives no object another prototype', () => {
  const base = { metadata: { labels: {} }, spec: { containers: [{ name: 'server', resources: { limits: {} } }] } };
  const limits = wire('{"__proto__": "1", "constructor": "2", "example.com/a": "3"}') as Record<string, string>;
  const merged = mergePodTemplate(base, { spec: { containers: [{ name: 'server', resources: { limits } }] } });
  const result = merged.spec.containers[0]?.resources?.limits ?? {};
  expect(Object.entries(result)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
    ['example.com/a', '3'],
  ]);
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
});

test('a Secret called constructor is known only once it has been looked at', () => {
  const reference = whole({ name: 'constructor' });
  const answer = { at: 0, type: 'secret', exists: true, hash: 'a', missingKeys: [] } as const;
  const known = learn([reference], {}, { 'secret/constructor': answer });
  expect(known).toEqual({ constructor: { baseline: 'a' } });
  expect(haveChanged([reference], known, { 'secret/constructor': { ...answer, hash: 'b' } })).toBe(true);
});

test('a resource called constructor is rendered as any other', () => {
  const metadata = { name: 'constructor', namespace: 'models', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
  const resource = { apiVersion: 'trunnion.dev/v1alpha1', kind: 'ModelServing', metadata, spec: single };
  const names = kind.render(resource as ModelServingResource, {}).map(({ manifest }) => manifest.metadata.name);
  expect(names).toContain('constructor');
});

test('a number that JavaScript would round is refused as an amount, and a text is kept', () => {
  const sized = (size: string | number) => ({ ...single, storage: { size } });
  expect(problemsOf(sized(Number('9007199254740993')))).toMatchObject([{ path: 'spec.storage.size' }]);
  expect(problemsOf(sized(999_999_999_999_999))).toEqual([]);
  const claim = render(sized('9007199254740993')).find(({ id }) => id === 'weights');
  expect(JSON.stringify(claim)).toContain('"storage":"9007199254740993"');
});
