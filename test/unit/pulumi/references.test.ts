import { App, Chart } from 'cdk8s';
import { expect, test } from 'vitest';
import * as constructs from '../../../constructs/index.ts';
import { AgentService, ModelServing, type AgentServiceArgs } from '../../../stacks/pulumi/index.ts';
import { run } from '../../support/run.ts';
import { single } from '../model-serving/support/specs.ts';
import { deployed, inputsOf, later } from './support/engine.ts';

const spec = { image: 'agent:1', replicas: 1 };

/** An agent and its model, whose namespace is known later only. */
const program = (namespace: () => AgentServiceArgs['namespace']) => () => {
  const serving = new ModelServing('llama', { namespace: namespace(), spec: single });
  new AgentService('agent', { namespace: namespace(), spec: { ...spec, model: serving } });
};

/** What cdk8s makes of an agent and its model. */
function renderedByCdk8s(): readonly unknown[] {
  const chart = new Chart(new App(), 'chart');
  const model = new constructs.ModelServing(chart, 'llama', { name: 'llama', namespace: 'models', spec: single });
  const agent = new constructs.AgentService(chart, 'agent', {
    name: 'agent',
    namespace: 'models',
    spec: { ...spec, model },
  });
  return agent.render().map(({ manifest }) => manifest);
}

const agentsOf = (inputs: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Object.entries(inputs).flatMap(([name, manifest]) => (name.startsWith('agent-') ? [manifest] : []));

const NAMESPACES: Readonly<Record<string, () => AgentServiceArgs['namespace']>> = {
  plain: () => 'models',
  'known later only': () => later('models'),
};

test.for(Object.entries(NAMESPACES))(
  'an agent has what its ModelServing tells of itself, where the namespace is %s',
  async ([, namespace]) => {
    const found = agentsOf(inputsOf(await deployed(program(namespace))));
    const expected = renderedByCdk8s();
    expect(found).toHaveLength(expected.length);
    expect(found).toEqual(expect.arrayContaining([...expected]));
  },
);

test('a preview knows which objects an agent has whose model is in a namespace that is not known yet', async () => {
  const known = await deployed(program(() => 'models'));
  const found = await deployed(
    program(() => later('models')),
    { preview: true },
  );
  expect(Object.keys(inputsOf(found))).toEqual(Object.keys(inputsOf(known)));
});

test('an agent of another namespace than its ModelServing is refused, once both are known', async () => {
  const source = `
    import * as pulumi from '@pulumi/pulumi';
    import { AgentService, ModelServing } from './stacks/pulumi/index.ts';
    await pulumi.runtime.setMocks({ call: ({ inputs }) => inputs, newResource: ({ name, inputs }) => ({ id: name, state: inputs }) });
    const namespace = pulumi.output('models');
    const model = new ModelServing('llama', { namespace, spec: ${JSON.stringify(single)} });
    new AgentService('agent', { namespace: 'agents', spec: { image: 'agent:1', model } });
  `;
  const { code, stderr } = await run(process.execPath, ['--input-type=module', '--eval', source]);
  expect(code).not.toBe(0);
  expect(stderr).toContain("propertyPath: 'spec.model'");
  expect(stderr).toContain('must be a ModelServing of the namespace agents');
  expect(stderr).toContain('models/llama');
});
