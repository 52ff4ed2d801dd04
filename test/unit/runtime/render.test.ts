import { ApiObject, Chart } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Workload } from '../../../constructs/workload.ts';
import { defineKind, manage } from '../../../operator/runtime/index.ts';
import { deployment, resourceOf, service, WebApp, webAppSpec } from '../../support/web-app.ts';

const kindOf = (construct: (scope: Chart) => void, children?: readonly string[]) =>
  defineKind({
    group: 'acme.dev',
    kind: 'Thing',
    spec: z.strictObject({}),
    ...(children && { children }),
    construct: (scope) => construct(scope as Chart),
  });

const rendered = (construct: (scope: Chart) => void, children?: readonly string[]) =>
  kindOf(construct, children).render(resourceOf({}, {}, 'Thing'), {});

describe('the children of any construct of cdk8s', () => {
  it('lie in the namespace of their resource, with the path below the chart as their ids', () => {
    const children = WebApp.render(resourceOf({ image: 'nginx:1', replicas: 2 }), {});
    expect(children.map(({ id, manifest }) => [id, manifest.kind, manifest.metadata.namespace])).toEqual([
      ['deployment', 'Deployment', 'shop'],
      ['service', 'Service', 'shop'],
    ]);
    expect(children[0]?.manifest['spec']).toMatchObject({ replicas: 2 });
  });

  it('are those of cdk8s-plus as well', () => {
    const children = rendered((scope) => {
      const plus = new Deployment(scope, 'plus', {
        metadata: { name: 'web' },
        containers: [{ image: 'nginx', portNumber: 80 }],
      });
      plus.exposeViaService({ name: 'web' });
    });
    expect(children.map(({ manifest }) => manifest.kind)).toEqual(['Deployment', 'Service']);
  });

  it('have names that differ from resource to resource, where cdk8s makes them up', () => {
    const kind = kindOf((scope) => void new ApiObject(scope, 'config', { apiVersion: 'v1', kind: 'ConfigMap' }));
    const nameOf = (name: string) => kind.render(resourceOf({}, { name }, 'Thing'), {})[0]?.manifest.metadata.name;
    expect(nameOf('a')).toMatch(/^a-config-/);
    expect(nameOf('b')).toMatch(/^b-config-/);
    expect(nameOf('a')).toBe(nameOf('a'));
  });

  it('are those of a chart within', () => {
    class WebChart extends Chart {
      constructor(scope: Construct, id: string) {
        super(scope, id);
        deployment(this, 'deployment', 'web');
      }
    }
    expect(rendered((scope) => new WebChart(scope, 'chart')).map(({ id }) => id)).toEqual(['chart/deployment']);
  });

  it('may lie elsewhere, and in none where their type is of the cluster', () => {
    const children = rendered((scope) => {
      new ApiObject(scope, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
      new ApiObject(scope, 'config', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'c', namespace: 'other' },
      });
    });
    expect(children.map(({ manifest }) => manifest.metadata.namespace)).toEqual([undefined, 'other']);
  });
});

describe('the order of children', () => {
  it('follows the dependencies of cdk8s, also where the later one stands first', () => {
    const children = rendered((scope) => {
      const first = deployment(scope, 'web', 'web');
      first.node.addDependency(service(scope, 'database', 'db'));
    });
    expect(children.map(({ id, after }) => [id, after])).toEqual([
      ['database', []],
      ['web', ['database']],
    ]);
  });

  it('holds between all objects of two groups', () => {
    const children = rendered((scope) => {
      const before = new Construct(scope, 'before');
      const after = new Construct(scope, 'after');
      service(before, 'a', 'a');
      service(before, 'b', 'b');
      service(after, 'c', 'c');
      after.node.addDependency(before);
    });
    expect(children.at(-1)).toMatchObject({ id: 'after/c', after: ['before/a', 'before/b'] });
  });

  it('is refused where some wait for each other in a circle', () => {
    const kind = kindOf(
      (scope) => {
        const [a, b] = [service(scope, 'a', 'a'), service(scope, 'b', 'b')];
        a.node.addDependency(b);
        b.node.addDependency(a);
      },
      ['v1/Service'],
    );
    expect(() => kind.render(resourceOf({}, {}, 'Thing'), {})).toThrow('these wait for each other in a circle: a, b');
  });

  it('is that of a workload, which says it itself', () => {
    class Ordered extends Workload {
      constructor(scope: Construct) {
        super(scope, 'ordered');
        const metadata = { name: 'x', namespace: 'shop' };
        this.add('config', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
        this.add('service', { apiVersion: 'v1', kind: 'Service', metadata }, { after: ['config'], retain: true });
      }
    }
    expect(rendered((scope) => new Ordered(scope))).toMatchObject([
      { id: 'config', after: [] },
      { id: 'service', after: ['config'], retain: true },
    ]);
  });
});

describe('what is said of a child that cdk8s has no words for', () => {
  it('holds for the object, and leaves out the fields that others own', () => {
    const [child] = rendered((scope) =>
      manage(deployment(scope, 'd', 'x'), { unmanagedFields: ['spec.replicas'], retain: true }),
    );
    expect(child).toMatchObject({ retain: true, unmanagedFields: ['spec.replicas'] });
    expect(child?.manifest['spec']).not.toHaveProperty('replicas');
    expect(child?.manifest['spec']).toHaveProperty('selector');
  });

  it('holds for all objects below a construct, and the nearest wins', () => {
    const children = rendered((scope) => {
      const group = manage(new Construct(scope, 'group'), { createOnly: true });
      service(group, 'a', 'a');
      manage(service(group, 'b', 'b'), { createOnly: false });
    });
    expect(children.map(({ createOnly }) => createOnly)).toEqual([true, false]);
  });
});

describe('a spec', () => {
  const refined = defineKind({
    group: 'acme.dev',
    kind: 'Thing',
    spec: webAppSpec.refine(({ image }) => !image.endsWith(':latest'), {
      path: ['image'],
      error: 'must name a version',
    }),
    construct: (scope, { spec }) => void deployment(scope, 'd', 'x', spec.replicas, spec.image),
  });
  const render = (spec: object) => () => refined.render(resourceOf(spec, {}, 'Thing') as never, {});

  it('has its defaults when the construct sees it', () => {
    expect(render({ image: 'nginx:1' })()[0]?.manifest['spec']).toMatchObject({ replicas: 1 });
  });

  it.each([
    ['the schema', { image: 3 }, 'spec.image'],
    ['what only zod can say', { image: 'nginx:latest' }, 'spec.image: must name a version'],
    ['what it does not know', { image: 'nginx', replica: 3 }, 'did you mean "replicas"?'],
  ])('is refused by %s', (_, spec, words) => {
    expect(render(spec)).toThrow(words);
  });
});

it('a construct tells by the absence of a state that it is in a static host', () => {
  const states: unknown[] = [];
  const kind = defineKind({
    group: 'acme.dev',
    kind: 'Thing',
    spec: z.strictObject({}),
    children: [],
    construct: (_, { state }) => void states.push(state),
  });
  const render = (resource: object, state: unknown): unknown => kind.render(resource as never, state as never);
  render(resourceOf({}, {}, 'Thing'), undefined);
  render(resourceOf({}, {}, 'Thing'), { a: 1 });
  expect(states).toEqual([undefined, { a: 1 }]);
});
