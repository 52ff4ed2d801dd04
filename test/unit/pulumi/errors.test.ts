import * as pulumi from '@pulumi/pulumi';
import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import * as constructs from '../../../constructs/index.ts';
import { ModelServing, type ModelServingArgs } from '../../../stacks/pulumi/index.ts';
import { run } from '../../support/run.ts';
import { shared, single } from '../model-serving/support/specs.ts';
import { deployed } from './support/engine.ts';

/** What Pulumi prints, a line for each property. */
async function problemsOf(args: object): Promise<readonly string[]> {
  try {
    await deployed(() => new ModelServing('llama', args as ModelServingArgs));
  } catch (error) {
    if (pulumi.InputPropertiesError.isInstance(error))
      return error.errors.map(({ propertyPath, reason }) => `${propertyPath}: ${reason}`);
    throw error;
  }
  return [];
}

test('all problems of a spec are reported at once, in the words of cdk8s', async () => {
  const spec = {
    ...single,
    storage: { size: 'much' },
    engine: { type: 'vllm' as const, args: ['--port=1'] },
    retired: true,
  };
  const byCdk8s = () =>
    new constructs.ModelServing(new Chart(new App(), 'chart'), 'llama', { name: 'llama', namespace: 'models', spec });
  const problems = await problemsOf({ namespace: 'models', spec });
  expect(problems).toHaveLength(3);
  expect(byCdk8s).toThrow(
    `ModelServing models/llama is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
});

test('name and namespace are told as the arguments that they are', async () => {
  expect(await problemsOf({ name: 'Llama', namespace: 'Models', spec: single })).toEqual([
    expect.stringMatching(/^namespace: must be a DNS label/),
    expect.stringMatching(/^name: must/),
  ]);
});

describe('an Output', () => {
  test('is refused where it would decide more than text, beside all other problems', async () => {
    const problems = await problemsOf({
      namespace: 'models',
      spec: {
        ...shared,
        model: { uri: pulumi.output('s3://models/llama/') },
        engine: pulumi.output({ type: 'vllm' }),
        resources: { gpu: pulumi.output(1) },
        priorityClassName: 'High!',
      },
    });
    const refused = 'got an Output, which may stand for text only';
    expect(problems).toEqual([
      expect.stringMatching(/^spec\.priorityClassName: .*\(got "High!"\)$/),
      expect.stringMatching(new RegExp(`^spec\\.model\\.uri: must begin with one of hf://.*${refused}`)),
      expect.stringMatching(new RegExp(`^spec\\.engine: .*must be of type object.*${refused}`)),
      expect.stringMatching(new RegExp(`^spec\\.resources\\.gpu: .*must be of type integer.*${refused}`)),
    ]);
  });

  test('of something else than text stops the program, with its path', async () => {
    const { code, stderr } = await ended({ priorityClassName: 'pulumi.output(7)' });
    expect(code).not.toBe(0);
    expect(stderr).toContain("propertyPath: 'spec.priorityClassName'");
    expect(stderr).toContain('must be text');
  });

  test('whose text the schema refuses stops the program without showing it: it may be secret', async () => {
    const { code, stderr } = await ended({ priorityClassName: "pulumi.secret('Hush-Hush')" });
    expect(code).not.toBe(0);
    expect(stderr).toContain("propertyPath: 'spec.priorityClassName'");
    expect(stderr).toContain('must be the name of a Kubernetes object');
    expect(stderr).not.toContain('Hush-Hush');
  });

  test('that proves to open a port stops the program', async () => {
    const { code, stderr } = await ended({
      env: "[{ name: 'HF_ENDPOINT', value: pulumi.output('http://mirror:8080') }]",
    });
    expect(code).not.toBe(0);
    expect(stderr).toContain("propertyPath: 'spec.env[0].value'");
    expect(stderr).toMatch(/this one decides what is in spec\.egress of [-a-z]*network-policy/);
  });
});

/** How a program ends. */
const ended = (fields: Readonly<Record<string, string>>) =>
  run(process.execPath, ['--input-type=module', '--eval', program(fields)]);

/** A program that Node.js runs against the SDK's mocks; fields are expressions. */
const program = (fields: Readonly<Record<string, string>>): string => `
  import * as pulumi from '@pulumi/pulumi';
  import { ModelServing } from './stacks/pulumi/index.ts';
  await pulumi.runtime.setMocks({ call: ({ inputs }) => inputs, newResource: ({ name, inputs }) => ({ id: name, state: inputs }) });
  const spec = {...${JSON.stringify(single)}, ${Object.entries(fields)
    .map(([field, value]) => `${field}: ${value}`)
    .join()}};
  new ModelServing('llama', { namespace: 'models', spec });
`;
