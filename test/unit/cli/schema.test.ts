import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { editorSchema, editorSchemaOf } from '../../../cli/schema/editor.ts';
import { SCHEMAS } from '../../../cli/schemas.ts';
import { trunnion } from '../../support/trunnion.ts';

const resources = await Array.fromAsync(glob('examples/**/*.yaml'), (file) =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => ({
    file,
    resource: document.toJS() as { kind: string },
  })),
).then((lists) => lists.flat());
const examples = resources.flatMap(({ file, resource }) => {
  const kind = SCHEMAS.find((schema) => schema.kind === resource.kind);
  return kind === undefined ? [] : [{ file, resource, kind }];
});

/** What an editor would mark. */
function marked(kind: string, resource: unknown): string[] {
  const schema = SCHEMAS.find((each) => each.kind === kind);
  if (schema === undefined) throw new Error(`there is no kind ${kind}`);
  const { success, error } = z.fromJSONSchema(editorSchema(schema)).safeParse(resource);
  return success ? [] : error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

test.for(examples)('nothing is marked in $file, $resource.kind', ({ kind, resource }) => {
  expect(marked(kind.kind, resource)).toEqual([]);
});

test('a field that does not exist, a value that is none of those allowed and one that is missing are marked', () => {
  const serving = examples.find(({ file }) => file === 'examples/model-serving.yaml');
  const wrong = structuredClone(serving?.resource) as unknown as {
    spec: { engine: { type: string }; model: { uri?: string }; replica?: number };
  };
  wrong.spec.replica = 1;
  wrong.spec.engine.type = 'magic';
  delete wrong.spec.model.uri;
  expect(marked('ModelServing', wrong)).toEqual([
    expect.stringMatching(/^spec\.model\.uri: /),
    expect.stringMatching(/^spec\.engine\.type: /),
    expect.stringMatching(/^spec: .*replica/),
  ]);
});

test('fields tell what they mean, and the rules that JSON Schema cannot say', () => {
  const text = JSON.stringify(editorSchemaOf(SCHEMAS));
  expect(text).toContain('exactly one of ingress and gateway must be given');
  expect(text).not.toContain('x-kubernetes');
});

test('one schema is for all kinds: which of them counts, a resource says itself', async () => {
  const { code, stdout } = await trunnion(['schema']);
  const { oneOf }: { oneOf: { properties: { kind: { const: string } } }[] } = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(oneOf.map(({ properties }) => properties.kind.const)).toEqual(SCHEMAS.map(({ kind }) => kind));
});

test('a kind may be named as kubectl names it, and one that does not exist is a usage error', async () => {
  const { stdout } = await trunnion(['schema', 'msv', '-o', 'yaml']);
  expect(stdout).toMatch(/^title: ModelServing$/m);
  expect(await trunnion(['schema', 'Pod'])).toMatchObject({ code: 2, stdout: '' });
});
