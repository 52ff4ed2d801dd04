import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import {
  freshNamespace,
  objectsOf,
  pythonProgram,
  typescriptProgram,
  yamlProgram,
  type Program,
} from './support/languages.ts';
import { edit } from './support/project.ts';
import { generatedSdks } from './support/sdks.ts';
import { StackUnderTest } from './support/stack.ts';

const admin = adminClient();
const stacks: StackUnderTest[] = [];
let sdks = '';

async function stackOf(program: Program, namespace: string): Promise<StackUnderTest> {
  const stack = await StackUnderTest.of(program(namespace), 'test');
  stacks.push(stack);
  return stack;
}

beforeAll(async () => {
  sdks = await generatedSdks();
});

afterEach(() => {
  for (const stack of stacks.splice(0)) stack.remove();
});

/** What is added to the model's spec in each language: a choice that there is not, and one that makes no sense. */
const LANGUAGES: Readonly<
  Record<
    string,
    {
      readonly program: (more?: string) => Program;
      readonly wrong: string;
      readonly change: readonly [file: string, from: string, to: string];
    }
  >
> = {
  yaml: {
    program: yamlProgram,
    wrong: '        parallelism: { tensor: 3 }\n        nodeSelector: { "": x }',
    change: ['Pulumi.yaml', '--max-model-len=4096', '--max-model-len=2048'],
  },
  python: {
    program: (more) => pythonProgram(join(sdks, 'python'), more),
    wrong: '"parallelism": {"tensor": 3}, "node_selector": {"": "x"},',
    change: ['__main__.py', '--max-model-len=4096', '--max-model-len=2048'],
  },
};

describe.for(Object.entries(LANGUAGES))('a program of %s', ([language, { program, wrong, change }]) => {
  test('makes the same objects as one of TypeScript, updates and deletes them', async () => {
    const namespace = await freshNamespace(language);
    const own = await stackOf(typescriptProgram, namespace);
    const expected = objectsOf((await own.preview()).steps);
    expect(Object.keys(expected).length).toBeGreaterThan(10);
    const stack = await stackOf(program(), namespace);
    const { steps, counts } = await stack.preview();
    expect(objectsOf(steps)).toEqual(expected);

    const up = await stack.up();
    expect(up.counts).toEqual(counts);
    expect(await stack.outputs()).toEqual({
      endpoint: `http://llama.${namespace}.svc:8000/v1`,
      agent: `http://agent.${namespace}.svc`,
    });
    expect(await admin.find(TYPES.deployment, { namespace, name: 'llama' })).toBeDefined();
    expect(await admin.find(TYPES.service, { namespace, name: 'agent' })).toBeDefined();
    expect(stack.state()).not.toContain('hush-hush');
    expect((await stack.preview()).counts).toEqual({ same: expect.any(Number) });

    edit(stack.project, ...change);
    const changed = await stack.up();
    expect(changed.steps.map(({ op, name }) => `${op} ${name}`)).toContain('update llama-deployment');

    expect((await stack.destroy()).counts).toMatchObject({ delete: counts['create'] });
    expect(await admin.find(TYPES.deployment, { namespace, name: 'llama' })).toBeUndefined();
  });

  test('is refused with what is wrong, by the path of each field', async () => {
    const stack = await stackOf(program(wrong), 'models');
    const { errors } = await stack.fails('preview');
    const text = errors.join('\n');
    expect(text).toContain('ModelServing llama is invalid');
    expect(text).toMatch(/property spec\.parallelism .*tensor times pipeline times data must be the number of GPUs/);
    expect(text).toMatch(/property spec\.nodeSelector .*each key must be the name of a label/);
  });
});
