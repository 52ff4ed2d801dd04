import { afterEach, expect, test } from 'vitest';
import { freshNamespace } from './support/languages.ts';
import { edit, otherProject } from './support/project.ts';
import { StackUnderTest } from './support/stack.ts';

const stacks: StackUnderTest[] = [];

afterEach(() => {
  for (const stack of stacks.splice(0)) stack.remove();
});

async function stackOf(resources: string): Promise<StackUnderTest> {
  const head = 'name: user\nruntime: yaml\nplugins: {providers: [{name: trunnion, path: node_modules/.bin}]}\n';
  const stack = await StackUnderTest.of(otherProject({ 'Pulumi.yaml': `${head}resources:\n${resources}` }), 'test');
  stacks.push(stack);
  return stack;
}

test('what is not ready in time fails the update, stays in the state, and is corrected by the next one', async () => {
  const namespace = await freshNamespace('yaml');
  const stack = await stackOf(`
  agent:
    type: trunnion:AgentService
    properties:
      namespace: ${namespace}
      spec: { image: agent:1, model: gpt-4o, replicas: 1, resources: { cpu: "1000", memory: 64Mi } }
    options: { customTimeouts: { create: 2s, update: 60s } }
`);
  expect((await stack.fails('up')).errors.join('\n')).toContain('agent');
  const recorded = stack.resources().map(({ urn }) => urn.split('::').at(-1));
  expect(recorded).toEqual(expect.arrayContaining(['agent-deployment', 'agent-service']));
  edit(stack.project, 'Pulumi.yaml', 'cpu: "1000"', 'cpu: "1"');
  const { steps } = await stack.up();
  expect(steps.map(({ op, name }) => `${op} ${name}`)).toContain('update agent-deployment');
  await stack.destroy();
});

test('an agent of another namespace than its model is refused by name', async () => {
  const stack = await stackOf(`
  llama:
    type: trunnion:ModelServing
    properties:
      namespace: models
      spec: { model: { uri: pvc://weights/llama }, engine: { type: vllm }, resources: { gpu: 1 }, replicas: 1 }
  agent:
    type: trunnion:AgentService
    properties:
      namespace: agents
      spec: { image: agent:1, model: "\${llama.source}", replicas: 1 }
`);
  const { errors } = await stack.fails('preview');
  expect(errors.join('\n')).toMatch(
    /property spec\.model has a problem: must be a ModelServing of the namespace agents.*models\/llama/,
  );
});
