import { ConfigMap } from 'cdk8s-plus-28';
import * as z from 'zod';
import { expect, test } from 'vitest';
import { checkConversions, convertReview } from '../../../operator/conversion/index.ts';
import { rbac } from '../../../operator/rbac.ts';
import { defineKind } from '../../../operator/runtime/index.ts';
import { identityFor } from '../../../operator/engine/api/index.ts';

const WebApp = defineKind({
  group: 'acme.dev',
  version: 'v1',
  kind: 'WebApp',
  spec: z.strictObject({ image: z.string().min(1), replicas: z.int().default(1) }),
  versions: [
    {
      name: 'v1beta1',
      deprecated: 'acme.dev/v1beta1 WebApp is deprecated; use acme.dev/v1',
      spec: z.strictObject({
        repository: z.string().min(1),
        tag: z.string().min(1).optional(),
        replicas: z.int().default(1),
      }),
      toStored: ({ repository, tag, replicas }) => ({
        image: tag === undefined ? repository : `${repository}:${tag}`,
        replicas,
      }),
      fromStored: ({ image, replicas }) => {
        const [repository, tag] = image?.split(':') ?? [];
        return { repository, tag, replicas };
      },
    },
    { name: 'v1alpha1', served: false },
  ],
  construct: (scope, { spec }) => {
    new ConfigMap(scope, 'config', { data: { image: spec.image } });
  },
});

const Plain = defineKind({
  group: 'acme.dev',
  kind: 'Plain',
  spec: z.strictObject({ text: z.string() }),
  construct: (scope, { spec }) => {
    new ConfigMap(scope, 'config', { data: { text: spec.text } });
  },
});

test('a kind of several versions has a CRD that says where they are converted', () => {
  const service = { namespace: 'acme', name: 'acme-operator-conversion' };
  expect(WebApp.crd({ service })).toMatchObject({
    spec: {
      versions: [{ name: 'v1' }, { name: 'v1beta1' }, { name: 'v1alpha1' }],
      conversion: { strategy: 'Webhook' },
    },
  });
  expect(() => WebApp.crd()).toThrow('The CRD of WebApp is invalid:\n  conversion: must have either service');
  expect(Plain.crd()).not.toHaveProperty('spec.conversion');
});

test('its functions lose nothing, and answer the API server', () => {
  checkConversions(WebApp.schema);
  const object = { apiVersion: 'acme.dev/v1beta1', kind: 'WebApp', metadata: { name: 'a' }, spec: { repository: 'b' } };
  const request = { uid: 'u', desiredAPIVersion: 'acme.dev/v1', objects: [object] };
  const review = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request };
  expect(convertReview(review, [Plain.schema, WebApp.schema]).response.convertedObjects).toEqual([
    { ...object, apiVersion: 'acme.dev/v1', spec: { image: 'b' } },
  ]);
});

test('a version that can not be is refused when the kind is defined', () => {
  expect(() =>
    defineKind({
      group: 'acme.dev',
      kind: 'Wrong',
      spec: z.strictObject({}),
      versions: [{ name: 'v1beta1', spec: z.strictObject({}), toStored: () => ({}) }],
      construct: () => undefined,
    }),
  ).toThrow('versions[0].fromStored: must be a function, since the version has a spec of its own');
});

interface Role {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly { readonly resources: readonly string[]; readonly resourceNames?: readonly string[] }[];
}

test('only an operator that converts has the rights that it takes', () => {
  const rolesOf = (kinds: Parameters<typeof rbac>[0]['kinds'], watchNamespace?: string) =>
    (
      rbac({
        kinds,
        identity: identityFor({ name: 'acme-operator', domain: 'acme.dev' }),
        namespace: 'acme',
        ...(watchNamespace !== undefined && { watchNamespace }),
      }) as unknown as readonly Role[]
    ).filter(({ rules, metadata }) => rules !== undefined && metadata.name.endsWith('-conversion'));
  expect(rolesOf([Plain])).toEqual([]);
  for (const watchNamespace of [undefined, 'shop']) {
    const roles = rolesOf([Plain, WebApp], watchNamespace);
    expect(roles.map(({ kind, metadata }) => [kind, metadata.namespace])).toEqual([
      ['ClusterRole', undefined],
      ['Role', 'acme'],
    ]);
    expect(roles.flatMap(({ rules = [] }) => rules.map(({ resourceNames }) => resourceNames))).toEqual([
      ['webapps.acme.dev'],
      ['acme-operator-conversion'],
      undefined,
    ]);
  }
});
