import { App, Chart, Testing } from 'cdk8s';
import type { Construct } from 'constructs';
import { describe, expect, test } from 'vitest';
import { AgentService, DistributedTraining, ModelServing } from '../../../constructs/index.ts';
import { SpecError } from '../../../constructs/schema/error.ts';

/** The kinds as a program makes them that nobody has checked. */
const KINDS: Readonly<Record<string, (scope: Construct, id: string, props: object) => unknown>> = {
  AgentService: (scope, id, props) => new AgentService(scope, id, props as never),
  DistributedTraining: (scope, id, props) => new DistributedTraining(scope, id, props as never),
  ModelServing: (scope, id, props) => new ModelServing(scope, id, props as never),
};

const SPECS: Readonly<Record<string, object>> = {
  AgentService: { image: 'agent:1', model: 'gpt-4o' },
  DistributedTraining: { framework: 'pytorch', image: 'trainer:1' },
  ModelServing: { model: { uri: 'pvc://weights/a' }, engine: { type: 'vllm' }, resources: { gpu: 1 } },
};

const chart = () => new Chart(Testing.app(), 'models');

function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(SpecError);
    return (error as SpecError).message;
  }
  throw new Error('it was not refused');
}

describe.each(Object.entries(KINDS))('%s', (kind, make) => {
  const spec = SPECS[kind];

  test.each([undefined, null])('whose namespace is %s is refused by name', (namespace) => {
    expect(refusalOf(() => make(chart(), 'x', { name: 'x', namespace, spec }))).toBe(
      `${kind} x is invalid:\n  metadata.namespace: Required value: give the construct a namespace, as in namespace: 'models'`,
    );
  });

  test.each([undefined, null])('whose name is %s is refused by name', (name) => {
    expect(refusalOf(() => make(chart(), 'x', { name, namespace: 'models', spec }))).toBe(
      `${kind} models is invalid:\n  metadata.name: Required value: give the construct a name, as in name: 'models'`,
    );
  });

  test('without a spec is refused with what is missing', () => {
    expect(refusalOf(() => make(chart(), 'x', { name: 'x', namespace: 'models' }))).toBe(
      `${kind} models/x is invalid:\n  spec: Required value`,
    );
  });

  test('with a number for name and namespace is refused with both', () => {
    const message = refusalOf(() => make(chart(), 'x', { name: 5, namespace: 6, spec }));
    expect(message).toMatch(
      /metadata\.namespace: must be a DNS label.*\(got 6\)\n.*metadata\.name: .*\(got 5\): write "5", in quotes$/,
    );
  });

  test('of the name and namespace of another one in the chart is refused, with the paths of both', () => {
    const scope = chart();
    make(scope, 'first', { name: 'x', namespace: 'models', spec });
    expect(refusalOf(() => make(scope, 'second', { name: 'x', namespace: 'models', spec }))).toBe(
      `${kind} models/x is invalid:\n  metadata.name: is the name of the ${kind} models/first as well as of models/second, ` +
        'in one namespace: give one of the two another name or namespace (got "x")',
    );
  });

  test('of the name and namespace of one in another chart of the app is refused', () => {
    const app = new App({ outdir: '/nowhere' });
    make(new Chart(app, 'a'), 'x', { name: 'x', namespace: 'models', spec });
    expect(refusalOf(() => make(new Chart(app, 'b'), 'x', { name: 'x', namespace: 'models', spec }))).toContain(
      `is the name of the ${kind} a/x as well as of b/x`,
    );
  });

  test('may have the name of one in another namespace, and of one in another app', () => {
    const scope = chart();
    make(scope, 'first', { name: 'x', namespace: 'models', spec });
    make(scope, 'second', { name: 'x', namespace: 'others', spec });
    make(chart(), 'first', { name: 'x', namespace: 'models', spec });
  });
});
