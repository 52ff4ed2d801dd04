import { ApiObject } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineKind, type KindDefinition } from '../../../operator/runtime/index.ts';
import { deployment, resourceOf, WebApp, webAppSpec } from '../../support/web-app.ts';

const minimal = { group: 'acme.dev', kind: 'Thing', spec: z.strictObject({}), construct: () => undefined } as const;

describe('a kind of a schema and a construct', () => {
  it('has the names that follow from its kind, and the types of what its construct makes', () => {
    expect(WebApp.type).toEqual({ group: 'acme.dev', version: 'v1', kind: 'WebApp', plural: 'webapps' });
    expect(WebApp.label).toBe('webapp');
    expect(WebApp.childTypes.map(({ kind }) => kind)).toEqual(['Deployment', 'Service']);
    expect(WebApp.finalizer).toBeUndefined();
  });

  it('has a CRD with its defaults, the scale subresource, and the status that every kind has', () => {
    const crd = WebApp.crd();
    expect(crd.metadata.name).toBe('webapps.acme.dev');
    const { scope, versions } = crd['spec'] as {
      scope: string;
      versions: { subresources: object; schema: { openAPIV3Schema: { properties: Record<string, object> } } }[];
    };
    expect(scope).toBe('Namespaced');
    expect(versions[0]?.subresources).toMatchObject({ status: {}, scale: { specReplicasPath: '.spec.replicas' } });
    const { spec, status } = versions[0]?.schema.openAPIV3Schema.properties ?? {};
    expect(spec).toMatchObject({ required: ['image'], properties: { replicas: { default: 1, minimum: 0 } } });
    expect(Object.keys((status as { properties: object }).properties)).toEqual([
      'replicas',
      'readyReplicas',
      'selector',
      'observedGeneration',
      'conditions',
    ]);
  });

  it.each([
    ['Proxy', 'proxies'],
    ['Gateway', 'gateways'],
    ['Class', 'classes'],
    ['Box', 'boxes'],
    ['Database', 'databases'],
  ])('has the plural of English: %s, %s', (kind, plural) => {
    expect(defineKind({ ...minimal, kind }).type.plural).toBe(plural);
  });

  it('is of the cluster where it says so', () => {
    const { type, crd } = defineKind({ ...minimal, scope: 'Cluster' });
    expect(type.scope).toBe('Cluster');
    expect(crd()['spec']).toMatchObject({ scope: 'Cluster' });
  });

  it.each<readonly [string, object, string]>([
    ['group', { group: 'acme' }, 'group: must be a DNS name with a dot, such as acme.dev; got "acme"'],
    ['kind', { kind: 'webApp' }, 'kind: must be a CamelCase word'],
    ['plural', { plural: 'Things' }, 'plural: must be a DNS label'],
    ['version', { version: '1' }, 'version: must be such as v1'],
    ['scope', { scope: 'Global' }, 'scope: must be Namespaced or Cluster'],
    ['spec', { spec: { image: 'text' } }, 'spec: must be a schema of zod'],
    ['status', { status: z.string() }, 'status: must be an object schema of zod'],
    ['construct', { construct: undefined }, 'construct: must be a function'],
    ['reconcile', { reconcile: {} }, 'reconcile: must be a function'],
    ['asks', { asks: { db: 'postgres' } }, 'asks.db: must be an async function; got "postgres"'],
  ])('is refused with words about %s', (_, change, words) => {
    expect(() => defineKind({ ...minimal, ...change } as unknown as KindDefinition)).toThrow(words);
  });

  it('is refused with all problems at once', () => {
    const wrong = { ...minimal, group: 'acme', kind: 'thing' };
    expect(() => defineKind(wrong)).toThrow(/group: .*\nkind: /);
  });

  it('runs the module that defines it at once, and nothing of it before it is needed', () => {
    const kind = defineKind({
      ...minimal,
      construct: () => {
        throw new Error('nobody asked for it yet');
      },
    });
    expect(kind.type.kind).toBe('Thing');
    expect(() => kind.childTypes).toThrow('nobody asked for it yet');
  });
});

describe('the types of children that a kind does not name', () => {
  it('are those of what its construct makes of a spec with all fields', () => {
    const kind = defineKind({
      ...minimal,
      spec: webAppSpec,
      construct: (scope, { name, spec }) => {
        deployment(scope, 'deployment', name);
        if (spec.host === undefined) return;
        new ApiObject(scope, 'ingress', { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name } });
      },
    });
    expect(kind.childTypes.map(({ plural }) => plural)).toEqual(['deployments', 'ingresses']);
  });

  it('are those of its examples, where there are some', () => {
    const kind = defineKind({
      ...minimal,
      spec: z.strictObject({ type: z.string().regex(/^(?:web|job)$/) }),
      examples: [{ type: 'web' }, { type: 'job' }],
      construct: (scope, { spec }) => {
        new ApiObject(scope, 'it', { apiVersion: 'v1', kind: spec.type === 'web' ? 'Service' : 'ConfigMap' });
      },
    });
    expect(kind.childTypes.map(({ kind: child }) => child)).toEqual(['Service', 'ConfigMap']);
  });

  it('must be named where they can not be found out, with the reason', () => {
    const kind = defineKind({
      ...minimal,
      spec: z.strictObject({ schedule: z.string().regex(/^[*] [*]$/) }),
      construct: (scope, { spec }) => void deployment(scope, 'd', spec.schedule),
    });
    expect(() => kind.childTypes).toThrow(
      /the types of the children of Thing can't be found out .*spec\.schedule.*: name them in children/s,
    );
  });

  it('must be named where one of them is none of Kubernetes own, since nobody knows its plural', () => {
    const kind = defineKind({
      ...minimal,
      construct: (scope) => void new ApiObject(scope, 'it', { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject' }),
    });
    expect(() => kind.childTypes).toThrow('keda.sh/v1alpha1/ScaledObject, which is none of Kubernetes');
  });

  it('are told where the construct still makes another one', () => {
    const kind = defineKind({
      ...minimal,
      children: ['v1/Service'],
      construct: (scope) => void deployment(scope, 'd', 'x'),
    });
    expect(() => kind.render(resourceOf({}, {}, 'Thing'), {})).toThrow(
      'the construct of Thing makes apps/v1/Deployment, and the operator neither watches these nor has a right to them',
    );
  });

  it('are refused where nobody knows them, with what was meant', () => {
    const kind = defineKind({ ...minimal, children: ['apps/v1beta1/Deployment'] });
    expect(() => kind.childTypes).toThrow('did you mean "apps/v1/Deployment"?');
  });
});

describe('the finalizer of a kind', () => {
  const children = ['v1/Namespace'] as const;
  it.each<readonly [string, object, string | undefined]>([
    ['is there where something has to be done first', { finalizer: true }, 'acme.dev/finalizer'],
    ['has the name that it is given', { finalizer: 'acme.dev/drain' }, 'acme.dev/drain'],
    ['is there where children lie where no owner can be named', { children }, 'acme.dev/children'],
    ['is not there where the resource lies in no namespace either', { children, scope: 'Cluster' }, undefined],
    ['is not there where it is not wanted', { children, finalizer: false }, undefined],
  ])('%s', (_, change, finalizer) => {
    expect(defineKind({ ...minimal, ...change } as unknown as KindDefinition).finalizer).toBe(finalizer);
  });
});
