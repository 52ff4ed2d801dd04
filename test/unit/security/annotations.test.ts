import { describe, expect, test } from 'vitest';
import { ANNOTATION_CLASSES, type AnnotationClass } from '../../../constructs/parts/annotations/group.ts';
import { defaultAnnotations, isAllowed } from '../../../constructs/parts/annotations/index.ts';
import type { Kind } from '../../../operator/engine/api/kind.ts';
import { kinds } from '../../../compat/kinds/index.ts';
import { hostile, type Annotation } from '../../examples/annotations/hostile.ts';
import { useful } from '../../examples/annotations/useful.ts';
import { allowing, annotationsOn, find, kindsOf, placed, refusalOf, resourceOf } from './support/annotated.ts';

const cases = (table: Readonly<Record<AnnotationClass, readonly Annotation[]>>) =>
  ANNOTATION_CLASSES.flatMap((of) =>
    kindsOf(of).flatMap((kind) => table[of].map(([key, value]) => ({ kind, of, key, value }))),
  );

describe('under the operator, by default,', () => {
  test.for(cases(hostile))('$kind puts on no $of: $key $value', ({ kind, of, key, value }) => {
    const resource = resourceOf(kind, placed(of, { [key]: value }));
    const refusal = refusalOf(() => find(kinds, kind).render(resource, {}));
    expect(refusal?.problems.map(({ path }) => path).join()).toMatch(/annotations/);
    expect(refusal?.message).toMatch(/allowedAnnotations\.|refused|set by Trunnion|on one line|namespace/);
  });

  test.for(cases(useful))('$kind puts on its $of: $key $value', ({ kind, of, key, value }) => {
    const resource = resourceOf(kind, placed(of, { [key]: value }));
    expect(annotationsOn(of, find(kinds, kind).render(resource, {}))).toMatchObject({ [key]: value });
  });

  test('a refusal names the field, the key, what is allowed, and who can allow more', () => {
    const spec = placed('ingress', { 'nginx.ingress.kubernetes.io/server-alias': 'bank.example.com' });
    const refusal = refusalOf(() => find(kinds, 'ModelServing').render(resourceOf('ModelServing', spec), {}));
    expect(refusal?.refusal).toBe('AnnotationNotAllowed');
    expect(refusal?.message).toMatch(
      /spec\.expose\.ingress\.annotations\[nginx\.ingress\.kubernetes\.io\/server-alias\]: is not an annotation that the operator may put on an Ingress; of nginx\.ingress\.kubernetes\.io\/ are allowed: proxy-body-size, .* more .*ask an administrator to add the key to allowedAnnotations\.ingress of the operator/,
    );
  });

  test('a value that is not allowed is reported with what is', () => {
    const spec = placed('ingress', { 'alb.ingress.kubernetes.io/target-type': 'lambda' });
    const refusal = refusalOf(() => find(kinds, 'ModelServing').render(resourceOf('ModelServing', spec), {}));
    expect(refusal?.message).toContain('must be one of instance, ip');
    expect(refusal?.message).toContain('(got "lambda")');
  });

  test('all that is wrong is reported at once, and a spec that is wrong beside is an invalid one', () => {
    const annotations = { 'example.com/a': 'b', 'example.com/c': 'd' };
    const spec = { ...placed('pod', annotations), ...placed('serviceAccount', annotations), replicas: -1 };
    const refusal = refusalOf(() => find(kinds, 'ModelServing').render(resourceOf('ModelServing', spec), {}));
    expect(refusal?.refusal).toBe('InvalidSpec');
    expect(refusal?.problems).toHaveLength(5);
  });

  test('as many refusals as there can be have room in a condition', () => {
    const annotations = Object.fromEntries(
      Array.from({ length: 32 }, (_, index) => [
        `${'a'.repeat(250)}.example/${'b'.repeat(58)}${index}`,
        'x'.repeat(4096),
      ]),
    );
    const spec = Object.assign({}, ...ANNOTATION_CLASSES.map((of) => placed(of, annotations))) as object;
    const refusal = refusalOf(() => find(kinds, 'ModelServing').render(resourceOf('ModelServing', spec), {}));
    expect(refusal?.message).toContain('has 80 more annotations that are not allowed');
    expect(refusal?.message.length).toBeLessThan(20_000);
  });
});

describe("an administrator's list", () => {
  const note = { 'example.com/note': 'any text' };
  const render = (among: readonly Kind[], annotations: object) =>
    find(among, 'ModelServing').render(resourceOf('ModelServing', placed('pod', annotations)), {});

  test.for([
    ['a key', ['example.com/note']],
    ['all keys of a prefix', ['example.com/*']],
    ['all keys that begin so', ['example.com/no*']],
    ['all keys', ['*']],
  ] as const)('allows %s', ([, pod]) => {
    expect(annotationsOn('pod', render(allowing({ pod }), note))).toMatchObject(note);
  });

  test('takes the place of the default, unless it has it', () => {
    const scraped = { 'prometheus.io/scrape': 'false' };
    expect(refusalOf(() => render(allowing({ pod: ['example.com/*'] }), scraped))?.refusal).toBe(
      'AnnotationNotAllowed',
    );
    expect(
      refusalOf(() => render(allowing({ pod: ['+default', 'example.com/*'] }), { ...scraped, ...note })),
    ).toBeUndefined();
  });

  test('of none allows nothing', () => {
    const refusal = refusalOf(() => render(allowing({ pod: ['+none'] }), { 'prometheus.io/scrape': 'false' }));
    expect(refusal?.message).toContain('none is allowed');
  });

  test('is about one class: the others keep their default', () => {
    const spec = placed('ingress', { 'cert-manager.io/cluster-issuer': 'letsencrypt' });
    const among = allowing({ pod: ['+none'] });
    expect(refusalOf(() => find(among, 'ModelServing').render(resourceOf('ModelServing', spec), {}))).toBeUndefined();
  });

  test('takes any value of a key that it names', () => {
    const among = allowing({ ingress: ['+default', 'alb.ingress.kubernetes.io/target-type'] });
    const spec = placed('ingress', { 'alb.ingress.kubernetes.io/target-type': 'lambda' });
    expect(refusalOf(() => find(among, 'ModelServing').render(resourceOf('ModelServing', spec), {}))).toBeUndefined();
  });

  test('is refused where an entry can be no key, with all such entries', () => {
    expect(() => allowing({ pod: ['a b', 'ok', '*a', ''], ingress: ['-x'] })).toThrow(
      /allowedAnnotations\.ingress\[0\].*"-x"[^]*allowedAnnotations\.pod\[0\].*"a b"[^]*allowedAnnotations\.pod\[2\].*"\*a"[^]*pod\[3\]/,
    );
  });
});

test('no key of the default is one that no list allows', () => {
  for (const of of ANNOTATION_CLASSES) {
    const keys = defaultAnnotations()[of].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => /snippet|\/config-[a-z-]+$|^trunnion\.dev\/|^app\.kubernetes\.io\//.test(key))).toEqual(
      [],
    );
  }
});

test('what is not a spec at all has no annotations to refuse', () => {
  for (const spec of [
    null,
    undefined,
    1,
    'a',
    [],
    { expose: null },
    { podTemplate: { metadata: { annotations: 1 } } },
  ]) {
    expect(isAllowed(spec, defaultAnnotations())).toBe(true);
  }
});
