import { afterEach, beforeAll, expect, test } from 'vitest';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { adminClient } from '../cluster/support/client.ts';
import { blocks, fileOf, languageOf } from '../support/markdown.ts';
import { run } from '../support/run.ts';
import { installSdk, otherProject } from './support/project.ts';
import { generatedSdks } from './support/sdks.ts';
import { StackUnderTest } from './support/stack.ts';

const PAGE = 'docs/languages.md';
const shown = (await blocks()).filter(({ file }) => file === PAGE);

/** The files of a program that the page has its reader save, by their names. */
const filesOf = (program: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    shown.flatMap((block) => {
      const file = fileOf(block) ?? '';
      return dirname(file) === program ? [[basename(file), block.text] as const] : [];
    }),
  );

const stacks: StackUnderTest[] = [];
let sdks = '';

beforeAll(async () => {
  sdks = await generatedSdks();
});

afterEach(() => {
  for (const stack of stacks.splice(0)) stack.remove();
});

async function stackOf(program: string): Promise<StackUnderTest> {
  const project = otherProject(filesOf(program));
  if (program === 'python-program') installSdk(project, join(sdks, 'python'));
  const stack = await StackUnderTest.of(project, 'test');
  stacks.push(stack);
  return stack;
}

test.for(['yaml-program', 'python-program'])('the %s of the page comes up as it is, and goes', async (program) => {
  const stack = await stackOf(program);
  const { counts } = await stack.up();
  expect(await stack.outputs()).toEqual({ endpoint: 'http://qwen.default.svc:8000/v1' });
  expect(await adminClient().find(TYPES.service, { namespace: 'default', name: 'support' })).toBeDefined();
  expect((await stack.destroy()).counts).toMatchObject({ delete: counts['create'] });
});

test('the package is added to a program as the page says, and the program runs as before', async () => {
  const stack = await stackOf('yaml-program');
  const { counts } = await stack.preview();
  const { folder } = stack.project;
  await stack.command('package', 'add', './node_modules/.bin/pulumi-resource-trunnion');
  expect(readFileSync(join(folder, 'Pulumi.yaml'), 'utf8')).toMatch(/^packages:\n +trunnion: trunnion@0\.1\.0$/m);
  expect((await stack.preview()).counts).toEqual(counts);
});

test('the program of Go of the page compiles with the classes that Pulumi generates', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-go-'));
  try {
    const modules = join(import.meta.dirname, 'engine/sdk-generator');
    for (const file of ['go.mod', 'go.sum']) cpSync(join(modules, file), join(folder, file));
    // One module, so that nothing is looked up: the classes are a package of it.
    const module = 'trunnion.dev/pulumi-sdk-generator';
    cpSync(join(sdks, 'go/trunnion'), join(folder, 'trunnion'), { recursive: true });
    const classes = 'trunnion.dev/pulumi-trunnion/sdk/go/trunnion';
    await run('sh', ['-c', `grep -rl '${classes}' trunnion | xargs sed -i 's#${classes}#${module}/trunnion#'`], {
      cwd: folder,
    });
    mkdirSync(join(folder, 'program'));
    const text = shown.find((block) => languageOf(block) === 'go')?.text ?? '';
    writeFileSync(join(folder, 'program/main.go'), text.replace(classes, `${module}/trunnion`));
    const { code, stderr } = await run('go', ['build', '-mod=mod', '-o', '/dev/null', './program'], { cwd: folder });
    expect({ code, stderr }).toMatchObject({ code: 0 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
