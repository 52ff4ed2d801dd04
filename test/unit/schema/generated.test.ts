import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../constructs/kinds.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { crdOf } from '../../../constructs/schema/crd.ts';
import { VALIDATIONS } from '../../../constructs/schema/rules.ts';
import type { StructuralSchema } from '../../../constructs/schema/structural.ts';
import { driftedFiles } from '../../../crds/generate.ts';
import { images } from '../../../scripts/images/main.ts';
import { COMPAT_SCHEMAS } from '../../../compat/kinds/schemas.ts';

test('the CRDs and reference pages that are checked in are those of the schemas and the command line', async () => {
  expect(await driftedFiles(), 'run `npm run generate`').toEqual([]);
});

test('the pictures of the pages are those that the command line draws', async () => {
  for (const [path, image] of await images()) {
    expect(readFileSync(path, 'utf8') === image, `${path} is another: run \`npm run generate\``).toBe(true);
  }
});

/** Every node of a schema with its path. */
function nodesOf(schema: StructuralSchema, path: string): readonly (readonly [string, StructuralSchema])[] {
  const { properties = {}, items, additionalProperties } = schema;
  return [
    [path, schema] as const,
    ...Object.entries(properties).flatMap(([name, child]) => nodesOf(child, `${path}.${name}`)),
    ...(items ? nodesOf(items, `${path}[]`) : []),
    ...(additionalProperties ? nodesOf(additionalProperties, `${path}.*`) : []),
  ];
}

describe.each([...KINDS, ...COMPAT_SCHEMAS])('the CRD of $kind', (kind) => {
  const root = kind.schema();
  const all = ['spec', 'status'].flatMap((name) => nodesOf(root.properties?.[name] ?? {}, name));
  const violating = (rule: (schema: StructuralSchema, path: string) => boolean) =>
    all.filter(([path, schema]) => rule(schema, path)).map(([path]) => path);

  test('describes every field', () => {
    expect(violating(({ description }, path) => !path.endsWith('[]') && !description)).toEqual([]);
  });

  test('gives every node one type', () => {
    const takesAny = (schema: StructuralSchema) =>
      schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
    expect(violating((schema) => schema.type === undefined && !takesAny(schema))).toEqual([]);
    expect(violating((schema) => schema.type !== undefined && schema['x-kubernetes-int-or-string'] === true)).toEqual(
      [],
    );
  });

  test('bounds every text, list and map, so that the cost of rules is bounded', () => {
    const unbounded = violating(
      ({ type, maxLength, maxItems, maxProperties, additionalProperties, enum: values }) =>
        (type === 'string' && maxLength === undefined && values === undefined) ||
        (type === 'array' && maxItems === undefined) ||
        (additionalProperties !== undefined && maxProperties === undefined),
    );
    expect(unbounded).toEqual([]);
  });

  test('says of every list how it is merged, by keys that are required or have a default', () => {
    expect(violating((schema) => schema.type === 'array' && schema['x-kubernetes-list-type'] === undefined)).toEqual(
      [],
    );
    const loose = violating((schema) => {
      const { properties = {}, required = [] } = schema.items ?? {};
      const keys = schema['x-kubernetes-list-map-keys'] ?? [];
      return keys.some((key) => !required.includes(key) && properties[key]?.default === undefined);
    });
    expect(loose).toEqual([]);
  });

  test('has no default inside of a list: kubectl compares lists as a whole, and would call each apply a change', () => {
    expect(violating(({ default: value }, path) => value !== undefined && path.includes('[]'))).toEqual([]);
  });

  test('has defaults that are valid by their own bounds', () => {
    const wrong = violating(
      ({ default: value, enum: values, minimum = -Infinity, maximum = Infinity }) =>
        (value !== undefined && values !== undefined && !values.includes(value)) ||
        (typeof value === 'number' && (value < minimum || value > maximum)),
    );
    expect(wrong).toEqual([]);
  });

  const rules = [['', root] as const, ...all].flatMap(([path, schema]) =>
    (schema[VALIDATIONS] ?? []).map(({ fieldPath = '', message }) => ({ field: path + fieldPath, message })),
  );

  test('every message of a rule is one line that Kubernetes takes, without a full stop', () => {
    expect(rules.filter(({ message }) => !/^\S[^\n]{0,2046}[^\s.]$/.test(message))).toEqual([]);
  });

  test('no two rules of a field say the same', () => {
    expect(new Set(rules.map(({ field, message }) => `${field} ${message}`)).size).toBe(rules.length);
  });
});

test('the CRD of a ModelServing has a status, a scale and what kubectl shows', () => {
  expect(crdOf(modelServing)).toMatchObject({
    metadata: { name: 'modelservings.trunnion.dev' },
    spec: {
      group: 'trunnion.dev',
      names: { kind: 'ModelServing', plural: 'modelservings', shortNames: ['msv'], categories: ['trunnion'] },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.replicas',
              statusReplicasPath: '.status.replicas',
              labelSelectorPath: '.status.selector',
            },
          },
          additionalPrinterColumns: ['Phase', 'Model', 'Ready', 'Replicas', 'Endpoint', 'Age'].map((name) => ({
            name,
          })),
        },
      ],
    },
  });
});
