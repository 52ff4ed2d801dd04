import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { crdOf } from '../../../constructs/schema/crd.ts';
import { isConverted } from '../../../constructs/schema/crd-conversion.ts';
import { referenceOf } from '../../../constructs/schema/reference.ts';
import { defineSchema } from '../../../constructs/schema/kind.ts';
import type { VersionDefinition } from '../../../constructs/schema/versions.ts';
import { plain, webApp } from '../conversion/support/kinds.ts';

const SERVICE = { service: { namespace: 'acme', name: 'acme-operator-conversion' } };

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly [field: string]: unknown;
}

interface CrdSpec {
  readonly versions: readonly Version[];
  readonly conversion?: object;
  readonly [field: string]: unknown;
}

const specOf = (...arguments_: Parameters<typeof crdOf>): CrdSpec => crdOf(...arguments_)['spec'] as CrdSpec;

describe('the CRD of a kind', () => {
  test('of one version says nothing of conversion, and has scope, categories and labels of the kind', () => {
    const { metadata, spec } = crdOf(plain) as unknown as { metadata: object; spec: CrdSpec };
    expect(metadata).toEqual({ name: 'plains.acme.dev', labels: { team: 'web' } });
    expect(spec).toMatchObject({ scope: 'Cluster', names: { categories: ['acme'] }, versions: [{ name: 'v1' }] });
    expect(spec).not.toHaveProperty('conversion');
    expect(isConverted(plain)).toBe(false);
  });

  test('of several versions stores one, serves those that are served, and warns of one that is deprecated', () => {
    const { versions } = specOf(webApp, SERVICE);
    expect(versions.map(({ name, served, storage }) => [name, served, storage])).toEqual([
      ['v1', true, true],
      ['v1beta1', true, false],
      ['v1alpha1', false, false],
    ]);
    expect(versions.map(({ deprecationWarning }) => deprecationWarning)).toEqual([
      undefined,
      'acme.dev/v1beta1 WebApp is deprecated; use acme.dev/v1',
      undefined,
    ]);
    expect(versions[1]).toHaveProperty('deprecated', true);
  });

  test('has for each version its own spec, rules and columns', () => {
    const versions = specOf(webApp, SERVICE).versions as unknown as readonly {
      readonly schema: { readonly openAPIV3Schema: { readonly properties: Record<string, { properties?: object }> } };
      readonly additionalPrinterColumns: readonly { readonly name: string }[];
    }[];
    const schemas = versions.map(({ schema }) => schema.openAPIV3Schema);
    expect(schemas.map(({ properties }) => Object.keys(properties['spec']?.properties ?? {}))).toEqual([
      ['image', 'replicas', 'port', 'env'],
      ['repository', 'tag', 'replicas', 'service', 'env'],
      ['image', 'replicas', 'port', 'env'],
    ]);
    expect(
      schemas.map((schema) => (schema as unknown as Record<string, unknown[]>)['x-kubernetes-validations']),
    ).toEqual([webApp.rules, [], webApp.rules]);
    expect(versions.map(({ additionalPrinterColumns }) => additionalPrinterColumns.map(({ name }) => name))).toEqual([
      ['Image', 'URL', 'Age'],
      ['URL', 'Age'],
      ['Image', 'URL', 'Age'],
    ]);
    expect(schemas[1]?.properties['apiVersion']).toMatchObject({
      description: 'Version of the schema: acme.dev/v1beta1.',
    });
  });

  test('has conversion by a Service', () => {
    expect(specOf(webApp, SERVICE).conversion).toEqual({
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { ...SERVICE.service, path: '/convert', port: 443 } },
      },
    });
  });

  test('has conversion by a URL, with the certificates that are trusted there', () => {
    const caBundle = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';
    expect(specOf(webApp, { url: 'https://127.0.0.1:9443/convert', caBundle }).conversion).toMatchObject({
      webhook: {
        clientConfig: { url: 'https://127.0.0.1:9443/convert', caBundle: Buffer.from(caBundle).toString('base64') },
      },
    });
  });

  test('needs no conversion where all versions have one spec', () => {
    const same = defineSchema({ ...plain, versions: [{ name: 'v1beta1' }] });
    expect(specOf(same)).not.toHaveProperty('conversion');
    expect(specOf(same).versions.map(({ name }) => name)).toEqual(['v1', 'v1beta1']);
  });

  test.for([
    [undefined, 'conversion: must have either service'],
    [{}, 'conversion: must have either service'],
    [{ ...SERVICE, url: 'https://acme.dev' }, 'conversion: must have either service'],
    [{ url: 'http://acme.dev/convert' }, 'conversion.url: must be an https URL'],
    [{ url: 'https://user:word@acme.dev/convert' }, 'conversion.url: must be an https URL'],
    [{ url: 'https://acme.dev/convert?' }, 'conversion.url: must be an https URL'],
    [{ url: 'https:/' }, 'conversion.url: must be an https URL'],
    [{ url: 'https://acme.dev', caBundle: 'LS0t' }, 'conversion.caBundle: must be certificates as PEM'],
  ] as const)('is refused with a webhook %j', ([webhook, message]) => {
    expect(() => crdOf(webApp, webhook)).toThrow(message);
  });
});

const converted = { spec: z.strictObject({}), toStored: () => ({}), fromStored: () => ({}) };

test.for([
  [[{ name: 'v1' }], 'versions[0].name: must be a name that no other version has (got "v1")'],
  [[{ name: 'v2' }, { name: 'v2' }], 'versions[1].name: must be a name that no other version has (got "v2")'],
  [[{ name: 'V2' }], 'versions[0].name: must be at most 63 lower-case letters'],
  [[{ name: '' }], 'versions[0].name: must be at most 63 lower-case letters'],
  [[{ name: 'v2', spec: z.strictObject({}) }], 'versions[0].toStored: must be a function'],
  [[{ ...converted, name: 'v2', fromStored: undefined }], 'versions[0].fromStored: must be a function'],
  [[{ name: 'v2', toStored: () => ({}) }], 'versions[0].fromStored: must be a function, since the other'],
  [[{ name: 'v2', deprecated: 'a\nb' }], 'versions[0].deprecated: must be one line'],
  [[{ name: 'v2', deprecated: 'é'.repeat(129) }], 'versions[0].deprecated: must be one line'],
] as const)('versions %j are refused', ([versions, message]) => {
  expect(() => defineSchema({ ...plain, versions: versions as unknown as VersionDefinition[] })).toThrow(message);
});

test('the version that is stored has a name that the API server takes', () => {
  expect(() => defineSchema({ ...plain, version: '1', versions: [] })).toThrow('version: must be at most 63');
});

test('the reference page has a section on other versions, with the fields of those that have their own', () => {
  const page = referenceOf(webApp);
  expect(page).toContain('`apiVersion: acme.dev/v1`, `kind: WebApp`');
  const [, section = ''] = page.split('## Other versions\n');
  expect(section.split('\n').filter((line) => line.startsWith('| `'))).toEqual([
    '| `v1beta1` | yes | its own | acme.dev/v1beta1 WebApp is deprecated; use acme.dev/v1 |',
    '| `v1alpha1` | no | that of `v1` |  |',
    expect.stringContaining('| `spec.repository` | string | required |'),
    expect.stringContaining('| `spec.tag` | string |'),
    expect.stringContaining('| `spec.replicas` | integer, at least 0 | `1` |'),
    expect.stringContaining('| `spec.service` | object |'),
    expect.stringContaining('| `spec.service.port` | integer | required |'),
    expect.stringContaining('| `spec.env` | map of string |'),
  ]);
  expect(referenceOf(plain)).not.toContain('## Other versions');
});
